import { setTimeout as sleep } from 'node:timers/promises';
import type { RateLimits } from '../../adapters/http/limits/rate-limits.ts';
import { RequestWindows, restOf, type RequestWindow } from '../../adapters/http/limits/request-windows.ts';

/** Requests of one subject for one operation that arrived together. */
export interface WantedRequests {
  readonly operation: string;
  readonly subject: string;
  readonly wanted: number;
}

/** How many requests a worker may let through. If they are fewer than it wanted, nothing is left until they expire. */
export interface Loan {
  readonly granted: number;
  /** Milliseconds until they expire. */
  readonly rest: number;
  /** The same in all loans of one window of a subject. */
  readonly window: number;
}

/** What a worker has not used of its loans in a window. */
export interface UnusedRequests {
  readonly operation: string;
  readonly subject: string;
  readonly window: number;
  readonly left: number;
}

/** What the primary calls in a worker that has borrowed requests. */
export interface Borrower {
  /** Takes back what the worker has not used of this window, and returns how many requests those are. */
  giveBack(operation: string, subject: string, window: number): Promise<number>;
}

interface Outstanding {
  readonly borrowers: Set<Borrower>;
  /** Runs while the borrowers are asked. */
  recall: Promise<void> | null;
}

/** How long others wait at most for a worker that gives back what it has borrowed, in milliseconds. */
const recallTimeout = 500;

/**
 * Counts requests for several workers, so that a limit holds exactly for their sum. A question to this process costs as much
 * as a request, so a subject that comes again gets more than it wanted: a share of what is left, which its worker then
 * counts by itself. Near the limit the shares are recalled.
 */
export class RequestLoans {
  readonly #windows: RequestWindows;
  readonly #workers: number;
  readonly #limits: RateLimits;
  readonly #outstanding = new WeakMap<RequestWindow, Outstanding>();

  constructor(limits: RateLimits, workers: number) {
    this.#limits = limits;
    this.#windows = new RequestWindows(limits);
    this.#workers = workers;
  }

  /** Lends at once; null if other workers may have what this one wants. */
  lendAtOnce(requests: WantedRequests, borrower: Borrower): Loan | null {
    const window = this.#windows.of(requests.operation, requests.subject);
    return window !== null && this.#mayRecall(window, requests) ? null : this.#lendFrom(window, requests, borrower);
  }

  /**
   * Lends once the other workers have given back what they have not used. After half of `timeLeft` (milliseconds), it lends
   * what there is, so that the requests are answered in time.
   */
  async lend(requests: WantedRequests, borrower: Borrower, timeLeft: number): Promise<Loan> {
    const end = performance.now() + Math.min(timeLeft / 2, recallTimeout);
    for (;;) {
      const window = this.#windows.of(requests.operation, requests.subject);
      const rest = end - performance.now();
      if (window === null || rest <= 0 || !this.#mayRecall(window, requests)) {
        return this.#lendFrom(window, requests, borrower);
      }
      await endOrTimeout(this.#recall(window, requests), rest);
    }
  }

  /** Takes back what a worker that ends has not used. */
  takeBack(unused: readonly UnusedRequests[]): void {
    for (const { operation, subject, window, left } of unused) {
      const running = this.#windows.running(operation, subject);
      if (running?.end === window) running.left += left;
    }
  }

  #mayRecall(window: RequestWindow, { wanted }: WantedRequests): boolean {
    return window.left < wanted && this.#outstanding.has(window);
  }

  #lendFrom(window: RequestWindow | null, { operation, wanted }: WantedRequests, borrower: Borrower): Loan {
    if (window === null) return { granted: wanted, rest: 0, window: 0 };
    const isFirst = window.left === this.#limits[operation];
    const share = isFirst ? 0 : Math.floor(Math.max(window.left - wanted, 0) / (2 * this.#workers));
    const granted = Math.min(window.left, wanted + share);
    window.left -= granted;
    if (granted > wanted) this.#outstandingOf(window).borrowers.add(borrower);
    return { granted, rest: restOf(window), window: window.end };
  }

  #outstandingOf(window: RequestWindow): Outstanding {
    const known = this.#outstanding.get(window) ?? { borrowers: new Set(), recall: null };
    this.#outstanding.set(window, known);
    return known;
  }

  async #recall(window: RequestWindow, requests: WantedRequests): Promise<void> {
    const outstanding = this.#outstandingOf(window);
    outstanding.recall ??= this.#giveBackTo(window, outstanding, requests);
    await outstanding.recall;
  }

  async #giveBackTo(
    window: RequestWindow,
    outstanding: Outstanding,
    { operation, subject }: WantedRequests,
  ): Promise<void> {
    const borrowers = [...outstanding.borrowers];
    outstanding.borrowers.clear(); // Others may borrow meanwhile.
    const returned = borrowers.map(async (borrower) => {
      // Nobody knows what a worker that has ended had used. One that hangs gives back when it goes on.
      const unused = await borrower.giveBack(operation, subject, window.end).catch(() => 0);
      window.left += unused;
    });
    await endOrTimeout(Promise.all(returned), recallTimeout);
    outstanding.recall = null;
    if (outstanding.borrowers.size === 0) this.#outstanding.delete(window);
  }
}

/** Waits until the work has ended, or so many milliseconds. */
async function endOrTimeout(work: Promise<unknown>, timeout: number): Promise<void> {
  const ended = new AbortController();
  await Promise.race([work, sleep(timeout, undefined, { signal: ended.signal })]);
  ended.abort();
}
