import type { PlacedEvent } from '../../../core/feed/events.port.ts';
import { aCall } from '../builders.ts';
import type { OpenedStore } from './stores.ts';

/** The whole log of a product, with every event that is stored. */
export async function eventsIn(store: OpenedStore, productId = 'prod_1'): Promise<readonly PlacedEvent[]> {
  await store.settle();
  return (await store.events.page(productId, 0, 10_000, aCall())).events;
}
