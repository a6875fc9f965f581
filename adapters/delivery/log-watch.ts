import type { MonotonicClock } from '../../core/call.ts';
import { everyLastPosition } from '../../core/webhook/stream/delivery-streams.port.ts';
import type { DeliveryParts } from './delivery-parts.ts';

/** Milliseconds between two looks at the logs of products, if there are few of them. */
const minInterval = 100;

/** Milliseconds for each product: what looks cost each second does not grow with their number. One for 20,000. */
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
