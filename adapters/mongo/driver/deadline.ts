import { MongoNetworkError } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import { Refusal } from '../../../core/refusal.ts';
import { asRefusal } from './errors.ts';

/** The maximum delay of a timer in Node. */
const maxDelay = 2 ** 31 - 1;

/** A promise that others settle. It rejects with `store_unavailable` if nobody has by the call's deadline. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  readonly #resolvers: PromiseWithResolvers<T>;
  readonly #timer: NodeJS.Timeout;
  #isPending = true;

  constructor(call: Call) {
    this.#resolvers = Promise.withResolvers<T>();
    this.promise = this.#resolvers.promise;
    const remaining = Math.min(Math.max(0, call.deadline.remaining()), maxDelay);
    this.#timer = setTimeout(() => {
      this.reject(new Refusal('store_unavailable', { cause: 'the deadline passed' }));
    }, remaining);
  }

  get isPending(): boolean {
    return this.#isPending;
  }

  resolve(value: T): void {
    this.#end();
    this.#resolvers.resolve(value);
  }

  /** Rejects, with an error of MongoDB as `store_unavailable`. */
  reject(error: unknown): void {
    this.#end();
    this.#resolvers.reject(asRefusal(error));
  }

  #end(): void {
    this.#isPending = false;
    clearTimeout(this.#timer);
  }
}

/** The result of `work`. Throws `store_unavailable` if the deadline comes first; the work goes on. */
export function beforeDeadline<T>(call: Call, work: Promise<T>): Promise<T> {
  const deferred = new Deferred<T>(call);
  work.then(
    (result) => deferred.resolve(result),
    (error: unknown) => deferred.reject(error),
  );
  return deferred.promise;
}

/** The result of a command. Rejects after `milliseconds` as if the connection were lost; the command continues. */
export function beforeTimeout<T>(milliseconds: number, command: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new MongoNetworkError('no reply in time')), milliseconds);
  command.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
