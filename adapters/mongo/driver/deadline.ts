import type { Call } from '../../../core/call.ts';
import { Refusal } from '../../../core/refusal.ts';
import { asRefusal } from './errors.ts';

const maxTimer = 2 ** 31 - 1;

/** One who waits for an answer: for the first that comes, and at the latest until the call's deadline. */
export class Caller<T> {
  readonly answer: Promise<T>;
  readonly #settle: PromiseWithResolvers<T>;
  readonly #timer: NodeJS.Timeout;
  #waits = true;

  constructor(call: Call) {
    this.#settle = Promise.withResolvers<T>();
    this.answer = this.#settle.promise;
    const remaining = Math.min(Math.max(0, call.deadline.remaining()), maxTimer);
    this.#timer = setTimeout(() => {
      this.refuse(new Refusal('store_unavailable', { cause: 'the deadline passed' }));
    }, remaining);
  }

  get waits(): boolean {
    return this.#waits;
  }

  tell(answer: T): void {
    this.#end();
    this.#settle.resolve(answer);
  }

  refuse(error: unknown): void {
    this.#end();
    this.#settle.reject(asRefusal(error));
  }

  #end(): void {
    this.#waits = false;
    clearTimeout(this.#timer);
  }
}

/** What `work` resolves with, unless the deadline comes first. */
export function within<T>(call: Call, work: Promise<T>): Promise<T> {
  const caller = new Caller<T>(call);
  work.then(
    (answer) => caller.tell(answer),
    (error: unknown) => caller.refuse(error),
  );
  return caller.answer;
}
