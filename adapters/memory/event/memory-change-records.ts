import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { ChangeRecord } from '../../../core/entitlement/event/change-record.ts';
import { maxHistory } from '../../../core/entitlement/history-entry.ts';
import type { MemoryStore } from '../data/memory-store.ts';
import { appendEvents } from './memory-events.ts';

/** Stores the record of a change. The history of an entitlement forgets its oldest entry beyond the limit. */
export function remember(
  store: MemoryStore,
  { id, productId }: Entitlement,
  { entry, events }: ChangeRecord,
  now: Date,
): void {
  store.history.set(id, [entry, ...(store.history.get(id) ?? [])].slice(0, maxHistory));
  appendEvents(store, productId, events, now);
}
