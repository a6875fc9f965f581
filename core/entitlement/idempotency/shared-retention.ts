import type { Call } from '../../call.ts';
import type { RetentionPromises } from './retention-promises.port.ts';
import { retentionAt, type Retention, type RetentionPromise } from './retention.ts';

/**
 * How long a process relies on the promises that it has read, in milliseconds. Records made meanwhile under a promise of
 * another process cannot expire before it reads again: the minimum retention is 25 h.
 */
const refreshInterval = 3_600_000;

interface KnownPromises {
  readonly all: readonly RetentionPromise[];
  readonly readAt: Date;
}

/**
 * The retention that the processes of a store share. Each has a setting of its own, and none removes or ignores a record
 * that another has promised to keep.
 */
export class SharedRetention {
  readonly #own: Retention;
  readonly #promises: RetentionPromises;
  readonly #isPromised: boolean;
  #known: KnownPromises | null = null;
  #refreshing: Promise<void> | null = null;

  /** `isPromised` says whether this process answers requests, and so promises to keep their records. */
  constructor(own: Retention, promises: RetentionPromises, { isPromised }: { readonly isPromised: boolean }) {
    this.#own = own;
    this.#promises = promises;
    this.#isPromised = isPromised;
  }

  /**
   * Returns the retention at the instant of the call. One request an hour reads the promises again, and renews the own
   * one. The others do not wait for it in the hour that the own promise still covers; after that, they all do.
   */
  async current(call: Call): Promise<Retention> {
    const age = this.#known === null ? Infinity : Math.abs(call.now.getTime() - this.#known.readAt.getTime());
    const mustWait = age >= 2 * refreshInterval;
    if (mustWait || (age >= refreshInterval && this.#refreshing === null)) {
      this.#refreshing ??= this.#refresh(call).finally(() => (this.#refreshing = null));
      await this.#refreshing;
    }
    return retentionAt(this.#own, this.#known?.all ?? [], call.now);
  }

  async #refresh(call: Call): Promise<void> {
    if (this.#isPromised) {
      const until = new Date(call.now.getTime() + 2 * refreshInterval);
      await this.#promises.add({ milliseconds: this.#own.milliseconds, until }, call);
    }
    this.#known = { all: await this.#promises.list(call), readAt: call.now };
  }
}
