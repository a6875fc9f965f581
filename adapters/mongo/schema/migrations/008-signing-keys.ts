import type { Db } from 'mongodb';
import type { Migration } from './released/migration.ts';

/**
 * Adds the collection of the signing keys, in which a store of an earlier schema has none. The step also keeps a release
 * that does not know them from copying the store without them.
 */
export const addSigningKeys: Migration = {
  name: '008-signing-keys',
  async run(db: Db) {
    const exists = await db.listCollections({ name: 'signing_keys' }).hasNext();
    // Another process may create it meanwhile.
    if (!exists) await db.createCollection('signing_keys').catch(ignoreExisting);
  },
};

const namespaceExists = 48;

function ignoreExisting(error: unknown): void {
  if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== namespaceExists) throw error;
}
