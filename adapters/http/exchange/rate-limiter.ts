import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Exchange } from './exchange.ts';
import { isRefusal, refuse } from '../refusals.ts';

/**
 * How many requests a minute each operation, named by its id, serves to one client address or, where an app key is
 * needed, to one product. Operations that are not named are not limited.
 */
export type RateLimits = Readonly<Record<string, number>>;

/** Generous to people and servers, slow for whoever guesses license keys or fills the waitlist. */
export const defaultRateLimits: RateLimits = {
  listListings: 600,
  getListing: 600,
  joinWaitlist: 10,
  verifyLicense: 60,
  getEntitlement: 3000,
  cancelEntitlement: 600,
  resumeEntitlement: 600,
};

/** Refused app keys a minute that one client address may present. */
const guesses = 20;

const minute = 60;

/** Counts requests in this process. What admits refuses with `rate_limited`. */
export class RateLimiter {
  readonly #limiters: ReadonlyMap<string, RateLimiterMemory>;
  readonly #guesses = new RateLimiterMemory({ points: guesses, duration: minute });
  readonly #trust: ReturnType<typeof proxyAddr.compile>;
  #onUnknownProxy: (() => void) | null;

  /**
   * `trustedProxies` are addresses, ranges, or `loopback`, `linklocal` and `uniquelocal`, whose `X-Forwarded-For` is believed.
   * `onUnknownProxy` hears once of a request that was forwarded although there are none: then all its clients are one.
   */
  constructor(limits: RateLimits, trustedProxies: readonly string[], onUnknownProxy: () => void) {
    this.#limiters = new Map(
      Object.entries(limits).map(([id, points]) => [id, new RateLimiterMemory({ points, duration: minute })]),
    );
    this.#trust = proxyAddr.compile([...trustedProxies]);
    this.#onUnknownProxy = trustedProxies.length === 0 ? onUnknownProxy : null;
  }

  /** One request of a public operation, before its content is looked at. */
  async admitAddress(operation: string, exchange: Exchange): Promise<void> {
    await consume(this.#limiters.get(operation), this.#addressOf(exchange), exchange);
  }

  /** One request of an operation that needs an app key, as soon as the key tells whose it is. */
  async admitProduct(operation: string, exchange: Exchange, productId: string): Promise<void> {
    await consume(this.#limiters.get(operation), productId, exchange);
  }

  /** One request that needs an app key, before its credential is looked at: not from where too many were refused. */
  async admitGuesses(exchange: Exchange): Promise<void> {
    const spent = await this.#guesses.get(this.#addressOf(exchange));
    if (spent !== null && spent.remainingPoints <= 0) throw tooMany(spent, exchange);
  }

  /** What a look-up of an app key finds; one that is refused counts against the client's address. */
  async countingGuesses<T>(exchange: Exchange, lookUp: Promise<T>): Promise<T> {
    try {
      return await lookUp;
    } catch (error) {
      if (isRefusal(error) && error.code === 'invalid_app_key') await this.#guesses.penalty(this.#addressOf(exchange));
      throw error;
    }
  }

  /** The client's address; of IPv6 the 64 bits that one customer gets whole. */
  #addressOf({ request }: Exchange): string {
    if (this.#onUnknownProxy !== null && isForwarded(request)) {
      this.#onUnknownProxy();
      this.#onUnknownProxy = null;
    }
    const address = proxyAddr(request, this.#trust);
    if (!ipaddr.isValid(address)) return address;
    const parsed = ipaddr.process(address);
    return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
  }
}

function isForwarded({ headers }: IncomingMessage): boolean {
  return headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
}

async function consume(limiter: RateLimiterMemory | undefined, subject: string, exchange: Exchange): Promise<void> {
  try {
    await limiter?.consume(subject);
  } catch (spent) {
    throw spent instanceof RateLimiterRes ? tooMany(spent, exchange) : spent;
  }
}

function tooMany({ msBeforeNext }: RateLimiterRes, { call }: Exchange): ReturnType<typeof refuse> {
  return refuse('rate_limited', { retryAt: new Date(call.now.getTime() + msBeforeNext) });
}
