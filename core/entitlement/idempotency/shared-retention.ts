import type { Call } from '../../call.ts';
import type { ClockMarks } from '../../clock/clock-marks.port.ts';
import { lead, maxLead } from '../../clock/clock-state.ts';
import { hour } from '../../parsing/duration.ts';
import type { RetentionPromises } from './idempotency.port.ts';
import { retentionAt, type Retention, type RetentionPromise } from './retention.ts';

/**
 * The time for which a process relies on the promises that it has read, in milliseconds. Records made meanwhile under a
 * promise of another process cannot expire before it reads again: the minimum retention is 25 h.
 */
const refreshInterval = hour;

interface KnownPromises {
  readonly all: readonly RetentionPromise[];
  /** Milliseconds by which the clock was ahead of the mark; 0 if that is no more than a server may be at its start. */
  readonly ahead: number;
  readonly readAt: Date;
}

/**
 * The retention that the processes of a store share. Each has a setting of its own, and none removes or ignores a record
 * that another has promised to keep.
 */
export class SharedRetention {
  readonly #own: Retention;
  readonly #promises: RetentionPromises;
  readonly #marks: ClockMarks;
  readonly #isPromised: boolean;
  #known: KnownPromises | null = null;
  #refreshing: Promise<void> | null = null;

  /** `isPromised` says whether this process answers requests, and so promises to keep their records. */
  constructor(
    own: Retention,
    promises: RetentionPromises,
    marks: ClockMarks,
    { isPromised }: { readonly isPromised: boolean },
  ) {
    this.#own = own;
    this.#promises = promises;
    this.#marks = marks;
    this.#isPromised = isPromised;
  }

  /**
   * Returns the retention at the instant of the call. Once an hour, a request reads the promises again and renews that
   * of this process. Other requests wait for it only if the last promise of this process no longer covers them. While
   * the clock is far ahead of the mark, the retention is longer by that lead: such a clock lets no record expire.
   */
  async current(call: Call): Promise<Retention> {
    const age = this.#known === null ? Infinity : Math.abs(call.now.getTime() - this.#known.readAt.getTime());
    const mustWait = age >= 2 * refreshInterval;
    if (mustWait || (age >= refreshInterval && this.#refreshing === null)) {
      this.#refreshing ??= this.#refresh(call).finally(() => (this.#refreshing = null));
      await this.#refreshing;
    }
    const retention = retentionAt(this.#own, this.#known?.all ?? [], call.now);
    return { ...retention, milliseconds: retention.milliseconds + (this.#known?.ahead ?? 0) };
  }

  async #refresh(call: Call): Promise<void> {
    if (this.#isPromised) {
      const until = new Date(call.now.getTime() + 2 * refreshInterval);
      await this.#promises.add({ milliseconds: this.#own.milliseconds, until }, call);
    }
    const [all, { mark }] = await Promise.all([this.#promises.list(call), this.#marks.read(call)]);
    const ahead = lead(call.now, mark);
    this.#known = { all, ahead: ahead > maxLead ? ahead : 0, readAt: call.now };
  }
}
