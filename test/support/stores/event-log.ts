import { ofEntitlements, type PlacedEvent } from '../../../core/feed/events.port.ts';
import type { LoggedEvent } from '../../../core/feed/logged-event.ts';
import { aCall } from '../builders.ts';
import type { OpenedStore } from './stores.ts';

/** The events of the entitlements of a product: every one that is stored. */
export async function eventsIn(store: OpenedStore, productId = 'prod_1'): Promise<readonly PlacedEvent[]> {
  return ofEntitlements(await logIn(store, productId));
}

/** The whole log of a product, with the events of its tiers. */
export async function logIn(store: OpenedStore, productId = 'prod_1'): Promise<readonly PlacedEvent<LoggedEvent>[]> {
  await store.settle();
  return (await store.events.page(productId, 0, 10_000, aCall())).events;
}
