import type { MonotonicClock } from '../../core/call.ts';
import type { PlacedEvent } from '../../core/feed/events.port.ts';
import type { LoggedEvent } from '../../core/feed/logged-event.ts';
import { everyLastPosition } from '../../core/webhook/stream/delivery-streams.port.ts';
import { readSize } from '../../core/webhook/stream/due-deliveries.ts';
import { isForType, type WebhookEndpoint } from '../../core/webhook/webhook-endpoint.ts';
import type { DeliveryParts } from './delivery-parts.ts';

/** Milliseconds between two looks at the logs of products, if there are few of them. */
const minInterval = 100;

/**
 * Milliseconds for each product, so that the cost of looks in a second does not grow with their number: 20,000 products
 * are looked at once a second.
 */
const intervalPerProduct = 0.05;

/** Knows the last positions of the logs of products, some hundred milliseconds old. */
export class LogWatch {
  readonly #parts: DeliveryParts;
  readonly #clock: MonotonicClock;
  #last: ReadonlyMap<string, number> = new Map();
  #lookedAt = -Infinity;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.#clock = parts.monotonicClock;
  }

  /** The last known position of a product's log. */
  lastOf(productId: string): number {
    return this.#last.get(productId) ?? 0;
  }

  /** Looks at the logs of these products, unless that was done a moment ago: then it returns false. */
  async look(productIds: ReadonlySet<string>): Promise<boolean> {
    const now = this.#clock();
    if (now - this.#lookedAt < Math.max(minInterval, productIds.size * intervalPerProduct)) return false;
    this.#lookedAt = now;
    this.#last = await everyLastPosition(this.#parts.events, [...productIds], this.#parts.newCall);
    return true;
  }
}

/** Knows the events of a product's log that were read for an endpoint and not delivered. */
export class ReadEvents {
  readonly #parts: DeliveryParts;
  readonly #productId: string;
  /** By position. */
  readonly #known = new Map<number, LoggedEvent>();

  constructor(parts: DeliveryParts, productId: string) {
    this.#parts = parts;
    this.#productId = productId;
  }

  /** Reads the next events after a position, and keeps those that the endpoint wants. */
  async read(
    after: number,
    endpoint: WebhookEndpoint,
  ): Promise<{
    readonly all: readonly PlacedEvent<LoggedEvent>[];
    readonly wanted: readonly PlacedEvent<LoggedEvent>[];
  }> {
    const { events: all } = await this.#parts.events.page(this.#productId, after, readSize, this.#parts.newCall());
    const wanted = all.filter(({ event }) => isForType(endpoint, event.type));
    for (const { position, event } of wanted) this.#known.set(position, event);
    return { all, wanted };
  }

  /** Finds the event at a position; null if the log no longer has it. */
  async at(position: number): Promise<LoggedEvent | null> {
    const known = this.#known.get(position);
    if (known !== undefined) return known;
    const page = await this.#parts.events.page(this.#productId, position - 1, 1, this.#parts.newCall());
    const [found] = page.events;
    return found?.position === position ? found.event : null;
  }

  forget(position: number): void {
    this.#known.delete(position);
  }
}
