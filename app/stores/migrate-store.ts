import type { MigrateOptions } from '../../adapters/cli/shell/shell.ts';
import type { Call } from '../../core/call.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import type { OnUpgrade } from '../../core/store/store.port.ts';
import { openStore } from './open-store.ts';
import { storeKindOf } from './store-kind.ts';

/**
 * Brings the schema of a store up to this release. A server does so with SQLite when it starts; on MongoDB it does not,
 * because processes of the old release may still use the database.
 */
export async function migrateStore(
  url: string,
  options: MigrateOptions,
  onUpgrade: OnUpgrade,
  call: Call,
): Promise<void> {
  if (storeKindOf(url) === 'mongodb') {
    const { migrateMongoDatabase } = await import('../../adapters/mongo/open-mongo-database.ts');
    await migrateMongoDatabase(url, { ...options, onUpgrade }, call);
    return;
  }
  const store = await openStore(url, { create: false, onUpgrade }, retentionFor(defaultTtl), call);
  await store.close();
}
