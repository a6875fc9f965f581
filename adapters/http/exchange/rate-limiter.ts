import type { IncomingMessage } from 'node:http';
import type { LimitCounts } from '../limits/limit-counts.ts';
import { clientAddressBehind } from './client-address.ts';
import type { Exchange } from './exchange.ts';
import { GuessLimiter, refuseAfter } from './guess-limiter.ts';

/** Has requests counted, and refuses those above a limit with `rate_limited`. */
export class RateLimiter {
  readonly #counts: LimitCounts;
  readonly #guesses: GuessLimiter;
  readonly #clientAddressOf: ReturnType<typeof clientAddressBehind>;
  #onUnknownProxy: (() => void) | null;

  /**
   * `trustedProxies` are addresses, ranges, or `loopback`, `linklocal` and `uniquelocal`, whose `X-Forwarded-For` is trusted.
   * `onUnknownProxy` is called at the first forwarded request if no proxy is trusted, because all its clients then share a limit.
   */
  constructor(counts: LimitCounts, trustedProxies: readonly string[], onUnknownProxy: () => void) {
    this.#counts = counts;
    this.#guesses = new GuessLimiter(counts);
    this.#clientAddressOf = clientAddressBehind(trustedProxies);
    this.#onUnknownProxy = trustedProxies.length === 0 ? onUnknownProxy : null;
  }

  /** Counts a request of a public operation, before its content is read. */
  async admitAddress(operation: string, exchange: Exchange): Promise<void> {
    refuseAfter(await this.#counts.request(operation, this.#addressOf(exchange)), exchange.call.now);
  }

  /** Counts a request of an operation that needs a key, once the key has named its subject: a product or an operator. */
  async admitSubject(operation: string, exchange: Exchange, subject: string): Promise<void> {
    refuseAfter(await this.#counts.request(operation, subject), exchange.call.now);
  }

  /** Refuses a request that needs a key if too many keys from its address were refused. */
  checkGuesses(exchange: Exchange): Promise<void> {
    return this.#guesses.check(this.#addressOf(exchange), exchange.call.now);
  }

  /** Looks a key up, and counts one that is refused against the client's address. */
  countGuess<T>(exchange: Exchange, lookUp: () => Promise<T>): Promise<T> {
    return this.#guesses.count(this.#addressOf(exchange), exchange.call.now, lookUp);
  }

  #addressOf({ request }: Exchange): string {
    if (this.#onUnknownProxy !== null && isForwarded(request)) {
      this.#onUnknownProxy();
      this.#onUnknownProxy = null;
    }
    return this.#clientAddressOf(request);
  }
}

function isForwarded({ headers }: IncomingMessage): boolean {
  return headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
}
