import type { RateLimits } from './rate-limits.ts';
import { RecentMap } from './recent-map.ts';

/** Milliseconds. */
export const windowLength = 60_000;

/** The requests of one subject for one operation in a minute that begins with the first of them. */
export interface RequestWindow {
  /** Requests that still have room. */
  left: number;
  /** In milliseconds of the monotonic clock. */
  readonly end: number;
}

/** The windows of all subjects. */
export class RequestWindows {
  readonly #limits: RateLimits;
  readonly #byOperation: ReadonlyMap<string, RecentMap<RequestWindow>>;

  constructor(limits: RateLimits) {
    this.#limits = limits;
    this.#byOperation = new Map(Object.keys(limits).map((operation) => [operation, new RecentMap(windowLength)]));
  }

  /** Returns the window that runs, or begins one; null if the operation has no limit. */
  of(operation: string, subject: string): RequestWindow | null {
    const windows = this.#byOperation.get(operation);
    if (windows === undefined) return null;
    const last = windows.get(subject);
    if (last !== undefined && performance.now() < last.end) return last;
    const begun = { left: this.#limits[operation] ?? 0, end: performance.now() + windowLength };
    windows.set(subject, begun);
    return begun;
  }
}

/** Milliseconds until a window ends. */
export function restOf({ end }: Pick<RequestWindow, 'end'>): number {
  return Math.max(end - performance.now(), 0);
}
