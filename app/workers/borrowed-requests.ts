import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { LimitCounts } from '../../adapters/http/limits/limit-counts.ts';
import type { RateLimits } from '../../adapters/http/limits/rate-limits.ts';
import { RecentMap } from '../../adapters/http/limits/recent-map.ts';
import { restOf, windowLength } from '../../adapters/http/limits/request-windows.ts';
import type { Loan, WantedRequests } from './request-loans.ts';

/** The primary, as a worker borrows from it. */
export interface Lender {
  /** Answers each of them, in their order. */
  lend(wanted: readonly WantedRequests[]): Promise<readonly Loan[]>;
}

/** The requests that the primary has lent. */
interface Borrowed {
  left: number;
  /** Whether the primary has nothing more to lend until the end. */
  readonly isSpent: boolean;
  /** In milliseconds of the monotonic clock. */
  readonly end: number;
}

type WaitingRequest = Omit<PromiseWithResolvers<number | null>, 'promise'>;

/** Requests of one subject for one operation that wait for an answer of the primary. */
interface Waiting {
  readonly operation: string;
  readonly subject: string;
  readonly requests: WaitingRequest[];
}

const hasRoom: Promise<null> = Promise.resolve(null);

/**
 * Counts the requests of a worker with what its primary lends it. There is one question at a time, because a message costs
 * as much as a request: those that arrive in one turn of the event loop, or before the last answer, are asked about
 * together.
 */
export class BorrowedRequests {
  readonly #lender: Lender;
  readonly #borrowed: ReadonlyMap<string, RecentMap<Borrowed>>;
  #waiting = new Map<string, Waiting>();
  #isAsking = false;

  constructor(limits: RateLimits, lender: Lender) {
    this.#lender = lender;
    this.#borrowed = new Map(Object.keys(limits).map((operation) => [operation, new RecentMap(windowLength)]));
  }

  readonly request: LimitCounts['request'] = (operation, subject) => {
    const ofOperation = this.#borrowed.get(operation);
    if (ofOperation === undefined) return hasRoom;
    const borrowed = ofOperation.get(subject);
    if (borrowed !== undefined && performance.now() < borrowed.end) {
      if (borrowed.isSpent) return Promise.resolve(restOf(borrowed));
      if (borrowed.left > 0) {
        borrowed.left -= 1;
        return hasRoom;
      }
    }
    return this.#wait(operation, subject);
  };

  #wait(operation: string, subject: string): Promise<number | null> {
    const { promise, ...request } = Promise.withResolvers<number | null>();
    const key = keyOf(operation, subject);
    const waiting = this.#waiting.get(key) ?? { operation, subject, requests: [] };
    waiting.requests.push(request);
    this.#waiting.set(key, waiting);
    if (!this.#isAsking) void this.#askAll();
    return promise;
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true;
    await endOfTurn();
    while (this.#waiting.size > 0) {
      const all = [...this.#waiting.values()];
      this.#waiting = new Map();
      await this.#ask(all);
    }
    this.#isAsking = false;
  }

  async #ask(all: readonly Waiting[]): Promise<void> {
    const asked = performance.now();
    try {
      const loans = await this.#lender.lend(all.map(wantedBy));
      for (const [position, waiting] of all.entries()) {
        const loan = loans[position];
        if (loan !== undefined) this.#answer(waiting, loan, asked);
      }
    } catch (error) {
      for (const { requests } of all) for (const request of requests) request.reject(error);
    }
  }

  #answer({ operation, subject, requests }: Waiting, loan: Loan, asked: number): void {
    const borrowed = {
      left: loan.granted,
      isSpent: loan.granted < requests.length,
      // Early by the time that the answer took, but never late.
      end: asked + loan.rest,
    };
    serve(requests, borrowed);
    const key = keyOf(operation, subject);
    const since = this.#waiting.get(key)?.requests ?? [];
    serve(since, borrowed);
    if (since.length === 0) this.#waiting.delete(key);
    // Most subjects come once and borrow nothing, which takes no memory.
    if (borrowed.left > 0 || borrowed.isSpent) this.#borrowed.get(operation)?.set(subject, borrowed);
  }
}

/** Lets through as many requests as there is room for, and refuses the others if there will be no more. */
function serve(requests: WaitingRequest[], borrowed: Borrowed): void {
  for (const { resolve } of requests.splice(0, borrowed.left)) {
    borrowed.left -= 1;
    resolve(null);
  }
  if (borrowed.isSpent) for (const { resolve } of requests.splice(0)) resolve(restOf(borrowed));
}

function keyOf(operation: string, subject: string): string {
  return `${operation} ${subject}`;
}

function wantedBy({ operation, subject, requests }: Waiting): WantedRequests {
  return { operation, subject, wanted: requests.length };
}
