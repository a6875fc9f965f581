import { Entitlements } from './entitlements.ts';
import { Events } from './events.ts';
import { Licenses } from './licenses.ts';
import { Listings } from './listings.ts';
import type { Transport } from './transport.ts';
import { Waitlist } from './waitlist.ts';

export interface ClientOptions {
  /** Where the service is, such as `https://licenses.example`. */
  readonly baseUrl: string;
  /** `svc_sk_live_…`, for entitlements and events. A secret of your server: never give it to a browser or an app. */
  readonly appKey?: string | undefined;
  /** Sends the requests. Default: the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds for one call, with its retries. Default: 30,000. */
  readonly timeout?: number | undefined;
  /** Maximum number of tries after the first. Default: 3. */
  readonly retries?: number | undefined;
}

/**
 * A client of a Latchkey service. Failed requests are repeated with jitter where that is safe and can help: after network
 * errors, 408, 429 and 5xx.
 */
export class LatchkeyClient {
  readonly listings: Listings;
  readonly waitlist: Waitlist;
  readonly licenses: Licenses;
  readonly entitlements: Entitlements;
  readonly events: Events;

  /** Throws `TypeError` or `RangeError` for options that cannot be used. */
  constructor(options: ClientOptions) {
    const transport = transportOf(options);
    this.listings = new Listings(transport);
    this.waitlist = new Waitlist(transport);
    this.licenses = new Licenses(transport);
    this.entitlements = new Entitlements(transport);
    this.events = new Events(transport);
  }
}

/** Maximum timeout: a timer of more than 2^31 - 1 milliseconds would fire at once. */
const maxTimeout = 24 * 3_600_000;

function transportOf({ baseUrl, appKey, fetch, timeout = 30_000, retries = 3 }: ClientOptions): Transport {
  const { protocol, search, hash } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '')
    throw new TypeError('baseUrl must be an http or https URL without query and fragment');
  if (!(timeout > 0 && timeout <= maxTimeout))
    throw new RangeError(`timeout must be milliseconds, above 0 and at most ${maxTimeout}`);
  if (!Number.isInteger(retries) || retries < 0) throw new RangeError('retries must be an integer from 0');
  return {
    baseUrl: baseUrl.replace(/\/$/, ''),
    appKey: appKey ?? null,
    // Called as a plain function, which browsers demand, and looked up late, so that tests can replace it.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeout,
    retries,
  };
}
