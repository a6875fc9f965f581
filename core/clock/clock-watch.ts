import type { Clock, MonotonicClock, NewCall } from '../call.ts';
import type { ClockMarks, StoreTime } from './clock-marks.port.ts';
import {
  compare,
  follow,
  lag,
  maxDifference,
  mayRemove,
  servedBefore,
  type ClockState,
  type Doubt,
  type KnownClock,
  type Moment,
  type Served,
} from './clock-state.ts';

/**
 * Milliseconds between two comparisons with the store, each of which moves the mark if the clock is trusted. A clock in
 * doubt is compared more often.
 */
const markInterval = 60_000;
export const doubtInterval = 10_000;

/** A finding about the clock of a process that an operator must know. */
export type ClockReport =
  | { readonly kind: 'doubted'; readonly doubt: Doubt }
  | { readonly kind: 'trusted again' }
  /** Milliseconds by which the clock is behind the instants that the store knows. */
  | { readonly kind: 'behind'; readonly by: number };

export interface ClockWatchParts {
  readonly marks: ClockMarks;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  readonly newCall: NewCall;
  /** Whether the operator vouches for the clock as it is at the start. */
  readonly isVouchedFor: boolean;
  readonly report: (report: ClockReport) => void;
  /** Called before the clock is trusted for the first time. Until it resolves, the clock is not trusted. */
  readonly onReturn: (served: Served) => Promise<void>;
}

/** Decides whether the clock of a serving process is trusted with work that cannot be undone. */
export class ClockWatch {
  readonly #parts: ClockWatchParts;
  #state: ClockState = null;
  #readAt = -Infinity;
  #isBehind = false;
  #hasReturned = false;

  constructor(parts: ClockWatchParts) {
    this.#parts = parts;
  }

  /** Whether events may be made and delivered by the clock as it is now. False before the first `look`. */
  get isTrusted(): boolean {
    return this.#follow(this.#moment())?.doubt === null && this.#hasReturned;
  }

  /** Whether events may be removed by the clock as it is now. */
  get mayRemove(): boolean {
    const moment = this.#moment();
    const state = this.#follow(moment);
    return state !== null && mayRemove(state, moment);
  }

  /** Compares the clock with the store when it is time to, and moves the mark if the clock is trusted. Call it every second. */
  async look(): Promise<void> {
    const { marks, newCall, isVouchedFor } = this.#parts;
    const moment = this.#moment();
    const before = this.#follow(moment);
    const interval = before?.doubt === null ? (this.#hasReturned ? markInterval : 0) : doubtInterval;
    if (moment.monotonic - this.#readAt < interval) return;
    const stored = await marks.read(newCall());
    const isVouchedForNow = before === null && isVouchedFor;
    const time: StoreTime = {
      mark: isVouchedForNow ? moment.wall : stored.mark,
      server: isVouchedFor ? null : stored.server,
    };
    const state = this.#follow(this.#moment());
    // If the clock was set meanwhile, the reading belongs to no moment.
    if (state?.offset !== before?.offset) return;
    const compared = compare(state, moment, time);
    if (compared.doubt === null) await this.#return(stored.mark, moment.wall);
    if (isVouchedForNow) await marks.reset(moment.wall, newCall());
    this.#become(compared);
    this.#readAt = moment.monotonic;
    if (!this.isTrusted) return;
    this.#reportLag(lag(moment.wall, time));
    await marks.raise(moment.wall, newCall());
  }

  async #return(servedAt: Date | null, now: Date): Promise<void> {
    if (this.#hasReturned) return;
    await this.#parts.onReturn(servedBefore(servedAt, now));
    this.#hasReturned = true;
  }

  #moment(): Moment {
    return { wall: this.#parts.clock(), monotonic: this.#parts.monotonicClock() };
  }

  #follow(moment: Moment): ClockState {
    if (this.#state !== null) this.#become(follow(this.#state, moment));
    return this.#state;
  }

  #become(next: KnownClock): void {
    const last = this.#state?.doubt ?? null;
    this.#state = next;
    if (next.doubt !== null && next.doubt.reason !== last?.reason) {
      this.#parts.report({ kind: 'doubted', doubt: next.doubt });
    }
    if (next.doubt === null && last !== null) this.#parts.report({ kind: 'trusted again' });
  }

  #reportLag(by: number): void {
    const isBehind = by > maxDifference;
    if (isBehind && !this.#isBehind) this.#parts.report({ kind: 'behind', by });
    this.#isBehind = isBehind;
  }
}
