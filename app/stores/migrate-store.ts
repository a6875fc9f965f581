import { migrateMongoDatabase } from '../../adapters/mongo/open-mongo-database.ts';
import type { Call } from '../../core/call.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import { openStore } from './open-store.ts';
import { storeKindOf } from './store-kind.ts';

/**
 * Brings a store up to the schema of this release. One on MongoDB waits for it, because processes of the old release
 * may be at work on it; any other is brought up to date by opening it.
 */
export async function migrateStore(url: string, call: Call): Promise<void> {
  if (storeKindOf(url) === 'mongodb') await migrateMongoDatabase(url, call);
  else await (await openStore(url, { create: false }, retentionFor(defaultTtl), call)).close();
}
