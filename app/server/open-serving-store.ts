import type { Clock } from '../../core/call.ts';
import { retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import type { Store } from '../../core/store/store.port.ts';
import { newCall } from '../service/new-call.ts';
import type { Settings } from '../settings/settings.ts';
import { openStore } from '../stores/open-store.ts';

/** Opens the store of a server, and creates it if it does not exist. Throws `UnusableStore`. */
export function openServingStore(
  { store, storeDeadline, idempotencyTtl }: Pick<Settings, 'store' | 'storeDeadline' | 'idempotencyTtl'>,
  clock: Clock,
): Promise<Store> {
  const call = newCall(clock(), storeDeadline, 'clock');
  return openStore(store, { create: true, serves: true }, retentionFor(idempotencyTtl), call);
}
