import type { MonotonicClock, NewCall } from '../call.ts';
import type { Events } from './events.port.ts';

/** Milliseconds between two looks for new events. */
const interval = 100;

export interface FollowerParts {
  readonly events: Pick<Events, 'lastPosition'>;
  readonly clock: MonotonicClock;
  readonly newCall: NewCall;
  /** Calls a function once, that many milliseconds later. */
  readonly setTimer: (milliseconds: number, action: () => void) => void;
  /** The maximum number of requests that are held at once. */
  readonly maxHeld: number;
  /** The same for one product, so that none keeps the others from waiting. */
  readonly maxHeldOfProduct: number;
}

interface Waiting {
  readonly position: number;
  /** A reading of the clock. */
  readonly until: number;
  readonly end: (found: boolean) => void;
}

/**
 * Looks for new events on behalf of all requests that wait for some: one read for each product every 100 ms, however many
 * requests wait. Nothing runs while no request waits.
 */
export class FeedFollower {
  readonly #parts: FollowerParts;
  /** By product. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #held = 0;
  #hasTimer = false;
  #isLooking = false;
  readonly #tick = (): void => {
    this.#hasTimer = false;
    const now = this.#parts.clock();
    for (const waiting of this.#waiting.values()) for (const { until, end } of waiting) if (until <= now) end(false);
    if (this.#held === 0) return;
    this.#schedule();
    if (!this.#isLooking) void this.#look();
  };

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /**
   * Holds a request for at most `milliseconds`, until its product has an event after a position. Returns null if too
   * many are held already, altogether or for this product.
   */
  follow(productId: string, position: number, milliseconds: number): Held | null {
    const { clock, maxHeld, maxHeldOfProduct } = this.#parts;
    const ofProduct = this.#waiting.get(productId) ?? new Set();
    if (this.#held >= maxHeld || ofProduct.size >= maxHeldOfProduct) return null;
    const { promise: over, resolve } = Promise.withResolvers<boolean>();
    const end = (found: boolean): void => {
      if (!ofProduct.delete(waiting)) return;
      this.#held -= 1;
      if (ofProduct.size === 0) this.#waiting.delete(productId);
      resolve(found);
    };
    const waiting = { position, until: clock() + milliseconds, end };
    this.#waiting.set(productId, ofProduct.add(waiting));
    this.#held += 1;
    this.#schedule();
    return { over, end: () => end(false) };
  }

  /** The number of requests that are held now. */
  get held(): number {
    return this.#held;
  }

  #schedule(): void {
    if (this.#hasTimer) return;
    this.#hasTimer = true;
    this.#parts.setTimer(interval, this.#tick);
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    for (const [productId, waiting] of this.#waiting) {
      const last = await this.#lastPosition(productId);
      for (const { position, end } of waiting) if (position < last) end(true);
    }
    this.#isLooking = false;
  }

  /** After a fault every hold is over. Each request reads the feed once more, and answers with the result or the fault. */
  async #lastPosition(productId: string): Promise<number> {
    const { events, newCall } = this.#parts;
    try {
      return await events.lastPosition(productId, newCall());
    } catch {
      return Infinity;
    }
  }
}

/** A request that is held until there is something to answer. */
export interface Held {
  /** Resolves once it is over: with true if there is something, with false otherwise. */
  readonly over: Promise<boolean>;
  /** Ends it now, with false unless it is over already. */
  end(): void;
}

/** Waits until a held request is over, and ends it early if nobody waits for its answer or the server stops. */
export type Hold = (held: Held) => Promise<boolean>;
