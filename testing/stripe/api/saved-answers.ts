import { refusals } from './refusals.ts';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly requestId: string;
}

interface Saved {
  readonly request: string;
  readonly at: number;
  answer: Answer | null;
}

/** Seconds for which Stripe repeats an answer. */
const kept = 86_400;

/** The answers of requests with an idempotency key, a 500 included. */
export class SavedAnswers {
  readonly #saved = new Map<string, Saved>();

  /** Returns the answer of the first request with this key, or null for the first. Refuses what differs from it. */
  begin(key: string, request: string, now: number): Answer | null {
    const saved = this.#saved.get(key);
    if (saved === undefined || saved.at < now - kept) {
      this.#saved.set(key, { request, at: now, answer: null });
      return null;
    }
    if (saved.request !== request) throw refusals.otherParameters(key);
    if (saved.answer === null) throw refusals.inProgress(key);
    return saved.answer;
  }

  finish(key: string, answer: Answer): void {
    const saved = this.#saved.get(key);
    if (saved !== undefined) saved.answer = answer;
  }

  /** Forgets a request that was refused before anything was done. */
  forget(key: string): void {
    this.#saved.delete(key);
  }
}
