import type { RateLimits } from '../../adapters/http/limits/rate-limits.ts';
import { RequestWindows, restOf } from '../../adapters/http/limits/request-windows.ts';

/** Requests of one subject for one operation that arrived together. */
export interface WantedRequests {
  readonly operation: string;
  readonly subject: string;
  readonly wanted: number;
}

/**
 * The number of requests that a worker may let through. If they are fewer than it wanted, nothing is left until they
 * expire.
 */
export interface Loan {
  readonly granted: number;
  /** Milliseconds until they expire. */
  readonly rest: number;
}

/**
 * Counts requests for several workers, so that their sum never exceeds a limit. A question to this process costs as
 * much as a request, so a subject that comes again gets more than it asked for: a share of the rest, which its worker
 * then counts by itself. A loan counts as used until the window ends.
 */
export class RequestLoans {
  readonly #windows: RequestWindows;
  readonly #workers: number;
  readonly #limits: RateLimits;

  constructor(limits: RateLimits, workers: number) {
    this.#limits = limits;
    this.#windows = new RequestWindows(limits);
    this.#workers = workers;
  }

  lend({ operation, subject, wanted }: WantedRequests): Loan {
    const window = this.#windows.of(operation, subject);
    if (window === null) return { granted: wanted, rest: 0 };
    const isFirst = window.left === this.#limits[operation];
    const share = isFirst ? 0 : Math.floor(Math.max(window.left - wanted, 0) / (2 * this.#workers));
    const granted = Math.min(window.left, wanted + share);
    window.left -= granted;
    return { granted, rest: restOf(window) };
  }
}
