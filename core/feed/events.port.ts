import type { Call } from '../call.ts';
import type { EntitlementEvent } from '../entitlement/event/entitlement-event.ts';
import { isOfEntitlement, type LoggedEvent } from './logged-event.ts';

/** An event at its place in the log of its product, which never changes. */
export interface PlacedEvent<Event extends LoggedEvent = EntitlementEvent> {
  /** Counts the events of the product from 1. */
  readonly position: number;
  readonly event: Event;
}

export interface EventPage {
  readonly events: readonly PlacedEvent<LoggedEvent>[];
  /** The first position that is kept; 0 in an empty log. */
  readonly first: number;
  /** The last position; 0 in an empty log. */
  readonly last: number;
}

/** Leaves out what is about no entitlement. */
export function ofEntitlements(events: readonly PlacedEvent<LoggedEvent>[]): readonly PlacedEvent[] {
  return events.filter((placed): placed is PlacedEvent => isOfEntitlement(placed.event));
}

/** The events of products. The ports that change an entitlement or a tier store each event with its change. */
export interface Events {
  /**
   * Lists at most `limit` events of a product after a position, oldest first. No event ever appears before a position
   * that a read has shown.
   */
  page(productId: string, after: number, limit: number, call: Call): Promise<EventPage>;

  /**
   * Removes the oldest events of a product that were stored at an instant or before, a small slice of them, and returns
   * how many; 0 if none is left to remove. Keeps the last event, and every event from the first one on that a webhook
   * endpoint has not received, disabled endpoints included.
   */
  prune(productId: string, until: Date, call: Call): Promise<number>;

  /**
   * Resolves once later reads are sure to show every event that any process has read before. Without it, a store on
   * several servers may be read from a server that has been replaced and does not know it.
   */
  catchUp(call: Call): Promise<void>;

  /** The last position of a product; 0 in an empty log. Cheap enough to be read many times a second. */
  lastPosition(productId: string, call: Call): Promise<number>;

  /** The last positions of at most 500 products. Those with an empty log are absent. */
  lastPositions(productIds: readonly string[], call: Call): Promise<ReadonlyMap<string, number>>;
}
