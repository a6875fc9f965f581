import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { LimitCounts } from '../../adapters/http/limits/limit-counts.ts';
import type { RateLimits } from '../../adapters/http/limits/rate-limits.ts';
import { RecentMap } from '../../adapters/http/limits/recent-map.ts';
import { restOf, windowLength } from '../../adapters/http/limits/request-windows.ts';
import type { Deadline } from '../../core/call.ts';
import type { Borrower, Loan, UnusedRequests, WantedRequests } from './request-loans.ts';

/** How a worker asks its primary. */
export interface Lender {
  /** Answers at once. Null for those that may have to wait until other workers give back what they have not used. */
  lendAtOnce(wanted: readonly WantedRequests[]): Promise<readonly (Loan | null)[]>;
  /**
   * Lends once others have given back what they have not used. `timeLeft` is how long the requests can still wait, in
   * milliseconds.
   */
  lend(wanted: WantedRequests, timeLeft: number): Promise<Loan>;
}

/** What the primary has lent. */
interface Borrowed {
  /** Tells the window of the loan from others of the subject. */
  readonly window: number;
  left: number;
  /** Whether the primary has nothing more to lend until the end. */
  readonly isSpent: boolean;
  /** In milliseconds of the monotonic clock. */
  readonly end: number;
}

interface WaitingRequest {
  readonly deadline: Deadline;
  readonly resolve: (wait: number | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests of one subject for one operation that wait for an answer of the primary. */
interface Waiting {
  readonly operation: string;
  readonly subject: string;
  readonly requests: WaitingRequest[];
}

/** Subjects whose requests are given back in one message: the primary takes half a millisecond of CPU for it. */
const pieceSize = 250;

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

  readonly request: LimitCounts['request'] = (operation, subject, deadline) => {
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
    return this.#wait(operation, subject, deadline);
  };

  /** Gives back what is not used of a window, and returns how many requests those are. */
  readonly giveBack: Borrower['giveBack'] = async (operation, subject, window) => {
    await endOfTurn(); // By then a loan that came in the same message is known.
    const borrowed = this.#borrowed.get(operation)?.get(subject);
    if (borrowed?.window !== window) return 0;
    const { left } = borrowed;
    borrowed.left = 0;
    return left;
  };

  /**
   * Gives back all that is not used, because the worker ends, in pieces: the primary answers others in between. What has yet
   * to go into a piece can still be recalled.
   */
  *giveBackAll(): Iterable<readonly UnusedRequests[]> {
    let piece: UnusedRequests[] = [];
    for (const [operation, ofOperation] of this.#borrowed) {
      for (const [subject, borrowed] of ofOperation.entries()) {
        const { window, left } = borrowed;
        if (left === 0) continue;
        piece.push({ operation, subject, window, left });
        borrowed.left = 0;
        if (piece.length < pieceSize) continue;
        yield piece;
        piece = [];
      }
    }
    if (piece.length > 0) yield piece;
  }

  #wait(operation: string, subject: string, deadline: Deadline): Promise<number | null> {
    const { promise, ...settlers } = Promise.withResolvers<number | null>();
    const key = keyOf(operation, subject);
    const waiting = this.#waiting.get(key) ?? { operation, subject, requests: [] };
    waiting.requests.push({ deadline, ...settlers });
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
      const loans = await this.#lender.lendAtOnce(all.map(wantedBy));
      for (const [position, waiting] of all.entries()) {
        const loan = loans[position] ?? null;
        if (loan === null) void this.#askOthers(waiting);
        else this.#answer(waiting, loan, asked);
      }
    } catch (error) {
      for (const waiting of all) reject(waiting, error);
    }
  }

  /** Waits without holding up the questions about other subjects. */
  async #askOthers(waiting: Waiting): Promise<void> {
    const asked = performance.now();
    try {
      this.#answer(waiting, await this.#lender.lend(wantedBy(waiting), timeLeftOf(waiting)), asked);
    } catch (error) {
      reject(waiting, error);
    }
  }

  #answer({ operation, subject, requests }: Waiting, loan: Loan, asked: number): void {
    const ofOperation = this.#borrowed.get(operation);
    const before = ofOperation?.get(subject);
    const borrowed = {
      window: loan.window,
      left: loan.granted + (before?.window === loan.window ? before.left : 0),
      isSpent: loan.granted < requests.length,
      // Early by the time that the answer took, but never late.
      end: asked + loan.rest,
    };
    serve(requests, borrowed);
    const key = keyOf(operation, subject);
    const since = this.#waiting.get(key)?.requests ?? [];
    serve(since, borrowed);
    if (since.length === 0) this.#waiting.delete(key);
    // Most subjects come once and borrow nothing, which takes no memory. What was there before must not count twice.
    if (borrowed.left > 0 || borrowed.isSpent || before !== undefined) ofOperation?.set(subject, borrowed);
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

/** How long each can still wait, without those that were answered at their deadline. */
function timeLeftOf({ requests }: Waiting): number {
  const all = requests.map(({ deadline }) => deadline.remaining());
  return Math.min(...all.filter((remaining) => remaining > 0));
}

function reject({ requests }: Waiting, error: unknown): void {
  for (const request of requests) request.reject(error);
}
