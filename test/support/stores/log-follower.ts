import { ofEntitlements, type Events, type PlacedEvent } from '../../../core/feed/events.port.ts';
import { aCall } from '../builders.ts';

/** Reads the logs of products page by page, as a client of the feed does. */
export class LogFollower {
  readonly #events: Events;
  readonly #limit: () => number;
  readonly #seen = new Map<string, PlacedEvent[]>();

  constructor(events: Events, limit: () => number) {
    this.#events = events;
    this.#limit = limit;
  }

  /** Reads on to the present end of each log. */
  async read(...productIds: readonly string[]): Promise<void> {
    for (const productId of productIds) {
      const seen = this.#seen.get(productId) ?? [];
      this.#seen.set(productId, seen);
      for (;;) {
        const limit = this.#limit();
        const { events } = await this.#events.page(productId, seen.at(-1)?.position ?? 0, limit, aCall());
        seen.push(...ofEntitlements(events));
        if (events.length < limit) break;
      }
    }
  }

  /** Everything that was read of a log, in the order in which it was read. */
  seen(productId = 'prod_1'): readonly PlacedEvent[] {
    return this.#seen.get(productId) ?? [];
  }
}
