import type { MonotonicClock } from '../../core/call.ts';
import type { DeliveryParts } from './delivery-parts.ts';

/** Milliseconds between two looks at the log of a product, if there are few of them. */
const minInterval = 100;

/** Milliseconds for each product: what looks at the logs of many products cost does not grow with their number. */
const intervalPerProduct = 10;

/** Knows the last positions of the logs of products, some hundred milliseconds old. */
export class LogWatch {
  readonly #parts: DeliveryParts;
  readonly #clock: MonotonicClock;
  readonly #last = new Map<string, number>();
  #lookedAt = -Infinity;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.#clock = parts.monotonicClock;
  }

  /** The last known position of a product's log. */
  lastOf(productId: string): number {
    return this.#last.get(productId) ?? 0;
  }

  /** Looks at the logs of these products, unless that was done a moment ago. */
  async look(productIds: ReadonlySet<string>): Promise<void> {
    const now = this.#clock();
    if (now - this.#lookedAt < Math.max(minInterval, productIds.size * intervalPerProduct)) return;
    this.#lookedAt = now;
    for (const productId of this.#last.keys()) if (!productIds.has(productId)) this.#last.delete(productId);
    const { events, newCall } = this.#parts;
    for (const productId of productIds) {
      this.#last.set(productId, await events.lastPosition(productId, newCall()));
    }
  }
}
