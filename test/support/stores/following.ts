import { FeedFollower, type Held } from '../../../core/feed/feed-follower.ts';
import { aCall } from '../builders.ts';

/** A follower of logs, with a clock and timers that a test moves. */
export class Following {
  now = 0;
  /** The last positions of the products. A product without one has a store that fails. */
  readonly last = new Map<string, number>();
  readonly reads: string[] = [];
  /** The promise that every read waits for. */
  gate: Promise<unknown> = Promise.resolve();
  readonly follower: FeedFollower;
  #timers: { readonly at: number; readonly action: () => void }[] = [];

  constructor(maxHeld = 10, maxHeldOfProduct = maxHeld) {
    const lastPosition = async (productId: string): Promise<number> => {
      this.reads.push(productId);
      await this.gate;
      const last = this.last.get(productId);
      if (last === undefined) throw new Error('the store failed');
      return last;
    };
    this.follower = new FeedFollower({
      events: { lastPosition },
      clock: () => this.now,
      newCall: aCall,
      setTimer: (milliseconds, action) => void this.#timers.push({ at: this.now + milliseconds, action }),
      maxHeld,
      maxHeldOfProduct,
    });
  }

  get timers(): number {
    return this.#timers.length;
  }

  async move(milliseconds: number): Promise<void> {
    const until = this.now + milliseconds;
    while (this.now < until) {
      this.now = Math.min(until, ...this.#timers.map(({ at }) => at));
      const due = this.#timers.filter(({ at }) => at <= this.now);
      this.#timers = this.#timers.filter(({ at }) => at > this.now);
      for (const { action } of due) action();
      await new Promise(setImmediate);
    }
  }

  hold(productId: string, position: number, milliseconds: number): FollowingOutcome {
    const held = this.follower.follow(productId, position, milliseconds);
    if (held === null) return { held, found: 'refused' };
    const outcome: FollowingOutcome = { held, found: 'waiting' };
    void held.over.then((found) => (outcome.found = found));
    return outcome;
  }
}

export interface FollowingOutcome {
  readonly held: Held | null;
  found: boolean | 'waiting' | 'refused';
}
