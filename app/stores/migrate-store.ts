import type { Call } from '../../core/call.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import type { MigrateOptions } from '../../adapters/cli/shell/shell.ts';
import { openStore } from './open-store.ts';
import { storeKindOf } from './store-kind.ts';

/**
 * Brings the schema of a store up to this release. Only MongoDB needs this command, because processes of the old release
 * may still use the database; other stores are brought up to date when they are opened.
 */
export async function migrateStore(url: string, options: MigrateOptions, call: Call): Promise<void> {
  if (storeKindOf(url) === 'mongodb') {
    const { migrateMongoDatabase } = await import('../../adapters/mongo/open-mongo-database.ts');
    await migrateMongoDatabase(url, options, call);
    return;
  }
  const store = await openStore(url, { create: false }, retentionFor(defaultTtl), call);
  await store.close();
}
