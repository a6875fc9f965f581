import type { Clock } from '../../core/call.ts';
import { retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import type { OnUpgrade, Store } from '../../core/store/store.port.ts';
import { newCall } from '../service/new-call.ts';
import type { Settings } from '../settings/settings.ts';
import { openStore } from '../stores/open-store.ts';

/**
 * Opens the store of a server, and creates it if it does not exist. With `onUpgrade`, an older schema is upgraded where that is
 * safe. Throws `UnusableStore`.
 */
export function openServingStore(
  { store, storeDeadline, idempotencyTtl }: Pick<Settings, 'store' | 'storeDeadline' | 'idempotencyTtl'>,
  clock: Clock,
  onUpgrade?: OnUpgrade,
): Promise<Store> {
  const call = newCall(clock(), storeDeadline, 'clock');
  return openStore(
    store,
    { create: true, serves: true, ...(onUpgrade && { onUpgrade }) },
    retentionFor(idempotencyTtl),
    call,
  );
}
