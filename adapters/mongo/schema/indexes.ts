import type { Db, IndexDescription, IndexDescriptionInfo } from 'mongodb';
import { UnusableStore } from '../../../core/store/unusable-store.ts';

/** One step from a schema to the next. */
export type Migration = (database: Db) => Promise<void>;

type Index = IndexDescription & { readonly name: string };

/**
 * The indexes that the store's promises rest on, by collection. Those over members that may be absent are partial:
 * absent counts as null otherwise, and two entitlements without a record or a license would collide.
 */
const indexes: Readonly<Record<string, Index[]>> = {
  listings: [{ name: 'id', key: { id: 1 }, unique: true }],
  app_keys: [{ name: 'id', key: { id: 1 }, unique: true }],
  entitlements: [
    { name: 'product', key: { productId: 1, _id: 1 } },
    {
      name: 'record_key',
      key: { productId: 1, 'records.key': 1 },
      unique: true,
      partialFilterExpression: { 'records.key': { $exists: true } },
    },
    {
      name: 'license_digest',
      key: { 'license.digest': 1 },
      unique: true,
      partialFilterExpression: { 'license.digest': { $exists: true } },
    },
  ],
};

/** What brings a database from one schema to the next. Each can be repeated; one that was released is never edited. */
export const migrations: readonly Migration[] = [
  async (database) => {
    for (const [collection, wanted] of Object.entries(indexes)) {
      await database.collection(collection).createIndexes(wanted);
    }
  },
];

/** Throws `UnusableStore` for an index that is missing or not as this release makes it. */
export async function checkIndexes(database: Db): Promise<void> {
  for (const [collection, wanted] of Object.entries(indexes)) {
    const found = (await database.listCollections({ name: collection }).hasNext())
      ? await database.collection(collection).indexes()
      : [];
    for (const index of wanted) {
      const same = found.find(({ name }) => name === index.name);
      if (same !== undefined && essence(same) === essence(index)) continue;
      const wrong = same === undefined ? 'is missing' : 'is not the one that Latchkey makes';
      throw new UnusableStore(
        `The index ${index.name} of the collection ${collection} ${wrong}, and without it two requests could both succeed where only one may. It must be ${essence(index)}.`,
      );
    }
  }
}

/** What decides how an index behaves, as text; what a server adds by itself is left out. */
function essence(index: IndexDescriptionInfo | Index): string {
  const { key, unique, sparse, partialFilterExpression, collation, expireAfterSeconds } = index;
  return JSON.stringify({ key, unique, sparse, partialFilterExpression, collation, expireAfterSeconds });
}
