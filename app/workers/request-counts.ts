import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { LimitCounts } from '../../adapters/http/limits/limit-counts.ts';

/** The operation and the subject of each request, in turn. */
export type CountedRequests = readonly string[];

/** What `LimitCounts.request` answers for each request; null if all have room. */
export type RequestWaits = readonly (number | null)[] | null;

/** Counts many requests, one after the other. */
export async function countRequests(counts: LimitCounts, requests: CountedRequests): Promise<RequestWaits> {
  const waits: Promise<number | null>[] = [];
  for (let at = 0; at < requests.length; at += 2) {
    waits.push(counts.request(requests[at] ?? '', requests[at + 1] ?? ''));
  }
  const all = await Promise.all(waits);
  return all.every((wait) => wait === null) ? null : all;
}

interface Waiting {
  readonly resolve: (wait: number | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Has another process count the requests of this one. There is one question at a time, because a message costs as much
 * as many requests: those that arrive in one turn of the event loop, or before the last answer, are asked about together.
 */
export class RequestCounts {
  readonly #ask: (requests: CountedRequests) => Promise<RequestWaits>;
  #requests: string[] = [];
  #waiting: Waiting[] = [];
  #isAsking = false;

  constructor(ask: (requests: CountedRequests) => Promise<RequestWaits>) {
    this.#ask = ask;
  }

  readonly request: LimitCounts['request'] = (operation, subject) => {
    const { promise, ...waiting } = Promise.withResolvers<number | null>();
    this.#requests.push(operation, subject);
    this.#waiting.push(waiting);
    if (!this.#isAsking) void this.#askAll();
    return promise;
  };

  async #askAll(): Promise<void> {
    this.#isAsking = true;
    await endOfTurn();
    while (this.#waiting.length > 0) {
      const [requests, waiting] = [this.#requests, this.#waiting];
      [this.#requests, this.#waiting] = [[], []];
      try {
        const waits = await this.#ask(requests);
        for (const [position, { resolve }] of waiting.entries()) resolve(waits?.[position] ?? null);
      } catch (error) {
        for (const { reject } of waiting) reject(error);
      }
    }
    this.#isAsking = false;
  }
}
