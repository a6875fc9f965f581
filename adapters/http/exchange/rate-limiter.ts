import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import type { OperatorKey } from '../../../core/key/operator/operator-key.ts';
import { claimsOf, licenseKeysOf, linksOf, mailsAskedBy, trialsOf, type AskedMail } from '../limits/guess-counts.ts';
import type { LimitCounts } from '../limits/limit-counts.ts';
import { isRefusal, refuse } from '../refusals.ts';
import type { Exchange } from './exchange.ts';
import { trustedAddresses } from './trusted-proxies.ts';

/** A client can make `X-Forwarded-For` as long as it likes, and each of its addresses is compared with those of proxies. */
const maxProxies = 32;

const ipv6WithPort = /^\[([^\]]*)\](?::\d+)?$/;
const ipv4WithPort = /^([\d.]+):\d+$/;

/** Has requests counted, and refuses those above a limit with `rate_limited`. */
export class RateLimiter {
  readonly #counts: LimitCounts;
  readonly #guesses: GuessLimiter;
  readonly #clientAddressOf: ReturnType<typeof clientAddressBehind>;
  #onUnknownProxy: (() => void) | null;

  /**
   * `trustedProxies` are addresses, ranges, or `loopback`, `linklocal` and `uniquelocal`, whose `X-Forwarded-For` is
   * trusted. `onUnknownProxy` is called at the first forwarded request if no proxy is trusted, because all its clients
   * then share a limit.
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

  /** Counts a request with an operator key that is limited to products, whatever it is for. More keys give no more of them. */
  async admitMerchant(exchange: Exchange, { products }: Pick<OperatorKey, 'products'>): Promise<void> {
    const [first] = products ?? [];
    if (first !== undefined) await this.admitSubject('merchants', exchange, first);
  }

  /** Refuses a request that needs a key if too many keys from its address were refused. */
  checkGuesses(exchange: Exchange): Promise<void> {
    return this.#guesses.check(this.#addressOf(exchange), exchange.call.now);
  }

  /** Looks a key up, and counts one that is refused against the client's address. */
  countGuess<T>(exchange: Exchange, lookUp: () => Promise<T>): Promise<T> {
    return this.#guesses.count(this.#addressOf(exchange), exchange.call.now, lookUp);
  }

  /** Counts a claim that asks another service against the client's address, whatever becomes of it. */
  admitClaim(exchange: Exchange): Promise<void> {
    return this.#admit(claimsOf(this.#addressOf(exchange)), exchange);
  }

  /** Counts a new trial against the client's address, before it is stored. */
  admitTrial(exchange: Exchange): Promise<void> {
    return this.#admit(trialsOf(this.#addressOf(exchange)), exchange);
  }

  /** Counts a request for a mail against the client's address, whatever becomes of it. */
  admitAskedMail(exchange: Exchange, what: AskedMail): Promise<void> {
    return this.#admit(mailsAskedBy(this.#addressOf(exchange), what), exchange);
  }

  /**
   * Looks a license key or a link up for a page, and counts one that is unknown against the client's address. Above the limit
   * no key is looked up, and only unknown links are refused.
   */
  countUnknown<T>(exchange: Exchange, lookUp: () => Promise<T>, what: 'key' | 'link'): Promise<T> {
    const address = this.#addressOf(exchange);
    const { now } = exchange.call;
    if (what === 'key') return this.#guesses.count(licenseKeysOf(address), now, lookUp);
    return this.#guesses.countAfter(linksOf(address), now, lookUp);
  }

  async #admit(subject: string, { call }: Exchange): Promise<void> {
    refuseAfter(await this.#counts.takeGuess(subject), call.now);
    this.#counts.endGuess(subject, true);
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

const invalidKeyCodes: ReadonlySet<string> = new Set([
  'invalid_app_key',
  'invalid_operator_key',
  'license_not_found',
  'link_not_found',
]);

/** Limits how many keys a client address may guess. */
export class GuessLimiter {
  readonly #counts: Omit<LimitCounts, 'request'>;

  constructor(counts: Omit<LimitCounts, 'request'>) {
    this.#counts = counts;
  }

  /** Refuses with `rate_limited` if the address has no guess left. */
  async check(address: string, now: Date): Promise<void> {
    refuseAfter(await this.#counts.guessesSpent(address), now);
  }

  /** Looks a key up once the address has a guess left, and counts the guess if the key is refused. */
  async count<T>(address: string, now: Date, lookUp: () => Promise<T>): Promise<T> {
    refuseAfter(await this.#counts.takeGuess(address), now);
    let isRefused = false;
    try {
      return await lookUp();
    } catch (error) {
      isRefused = isInvalidKey(error);
      throw error;
    } finally {
      this.#counts.endGuess(address, isRefused);
    }
  }

  /**
   * Looks a secret up that nobody can guess, and counts it if it is unknown. A known one is found whatever others behind the
   * address have asked for; an unknown one is refused with `rate_limited` if the address has no guess left.
   */
  async countAfter<T>(address: string, now: Date, lookUp: () => Promise<T>): Promise<T> {
    try {
      return await lookUp();
    } catch (error) {
      if (!isInvalidKey(error)) throw error;
      return this.count(address, now, () => Promise.reject(error));
    }
  }
}

function isInvalidKey(error: unknown): boolean {
  return isRefusal(error) && invalidKeyCodes.has(error.code);
}

/** Refuses a request that has to wait `wait` milliseconds for room; null means that it has room. */
function refuseAfter(wait: number | null, now: Date): void {
  if (wait !== null) throw refuse('rate_limited', { retryAt: new Date(now.getTime() + wait) });
}

/**
 * Makes the function that finds a client's address, behind the proxies whose `X-Forwarded-For` is trusted: its IPv4
 * address, or the first 64 bits of its IPv6 address, which belong to one customer. For an entry that cannot be read as
 * an address, it is the address of the proxy that reported it.
 */
function clientAddressBehind(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = trustedAddresses(trustedProxies);
  const trust = (address: string, hop: number): boolean => hop < maxProxies && isTrusted(withoutPort(address));
  return (request) => {
    const fromConnection = proxyAddr.all(request, trust).map(withoutPort);
    return subjectOf(fromConnection.findLast((address) => isIP(address) !== 0) ?? '');
  };
}

/** Some load balancers write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(address = ''): string {
  return (ipv6WithPort.exec(address) ?? ipv4WithPort.exec(address))?.[1] ?? address;
}

function subjectOf(address: string): string {
  if (address === '') return address; // the connection was reset
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
