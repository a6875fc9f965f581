import type { Call } from '../../call.ts';
import type { Entitlement } from '../entitlement.ts';
import type { EntitlementEvent } from './entitlement-event.ts';

/** A change of an entitlement by the clock, with its events. */
export interface ClockChange {
  readonly seen: Entitlement;
  readonly next: Entitlement;
  readonly events: readonly EntitlementEvent[];
}

/** The entitlements that have changed by the clock, or whose access ends soon, and have no event of it yet. */
export interface DueEntitlements {
  /** Lists at most `limit` entitlements whose `nextEventAt` is not after an instant, the earliest first. */
  due(until: Date, limit: number, call: Call): Promise<readonly Entitlement[]>;

  /**
   * Lists at most `limit` entitlements without a hold whose `unannouncedEnd` is not after an instant, the earliest end first.
   */
  ending(until: Date, limit: number, call: Call): Promise<readonly Entitlement[]>;

  /**
   * Replaces each `seen` by its `next` with the events, in one atomic write or not at all, each change by itself.
   * Returns how many were stored: an entitlement that has been written since it was seen is left as it is.
   */
  replace(changes: readonly ClockChange[], call: Call): Promise<number>;
}
