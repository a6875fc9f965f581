import type { Deadline, MonotonicClock } from '../../core/call.ts';
import { Refusal } from '../../core/refusal.ts';

/** The number of times that one refresh loads the catalog again before it fails. */
const maxReloads = 2;

/** The minimum pause after a refresh that loaded the catalog without success, in milliseconds. */
const minPause = 1000;

/** That pause as a multiple of the time that the refresh took, so that reloads take at most a fifth of a core. */
const pauseFactor = 4;

const cause = 'the store does not know the cursor of the catalog that it has just returned';

/**
 * Limits how often the catalog is loaded again. A damaged store may call every cursor too old, and would be read
 * without a pause.
 */
export class ReloadLimit {
  readonly #clock: MonotonicClock;
  #pausedUntil = -Infinity;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** Throws `store_unavailable` during a pause. */
  checkRefresh(): void {
    if (this.#clock() < this.#pausedUntil) throw new Refusal('store_unavailable', { cause });
  }

  /** Throws `store_unavailable` and begins a pause if a refresh that began at that time has reloaded too often. */
  checkReload(reloads: number, began: number): void {
    if (reloads < maxReloads) return;
    const now = this.#clock();
    this.#pausedUntil = now + Math.max(minPause, pauseFactor * (now - began));
    throw new Refusal('store_unavailable', { cause });
  }
}

/** The first load of the catalog, for which queries wait. */
export class FirstLoad {
  #running: Promise<void> | null = null;

  /** Lets queries wait while a load runs. Settles as the load does. */
  async during(load: Promise<void>): Promise<void> {
    this.#running = load.catch(() => undefined);
    try {
      await load;
    } finally {
      this.#running = null;
    }
  }

  /** Waits until the load that runs has settled, at most until the deadline. Returns at once if none runs. */
  async settled(deadline: Deadline): Promise<void> {
    if (this.#running === null) return;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, deadline.remaining());
    await Promise.race([this.#running, late.promise]);
    clearTimeout(timer);
  }
}
