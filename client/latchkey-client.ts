import { Entitlements } from './entitlements.ts';
import { Events } from './events.ts';
import { Licenses } from './licenses.ts';
import { limitsOf } from './limits.ts';
import { Listings } from './listings.ts';
import type { SharedOptions } from './request.ts';
import type { Transport } from './transport.ts';
import { Waitlist } from './waitlist.ts';

export interface ClientOptions extends SharedOptions {
  /** Where the service is, such as `https://licenses.example`. */
  readonly baseUrl: string;
  /** `svc_sk_live_…`, for entitlements and events. A secret of your server: never give it to a browser or an app. */
  readonly appKey?: string | undefined;
  /** Sends the requests. Default: the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch | undefined;
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

function transportOf({ baseUrl, appKey, fetch, ...shared }: ClientOptions): Transport {
  return {
    baseUrl: baseUrlOf(baseUrl),
    appKey: appKey ?? null,
    // Called as a plain function, which browsers demand, and looked up late, so that tests can replace it.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    ...limitsOf(shared, { timeout: 30_000, retries: 3 }),
    onAttempt: shared.onAttempt,
  };
}

function baseUrlOf(baseUrl: string | undefined): string {
  const rule = 'baseUrl must be the http or https URL of the service, without query and fragment';
  if (baseUrl === undefined || !URL.canParse(baseUrl)) throw new TypeError(rule);
  const { protocol, search, hash } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '') throw new TypeError(rule);
  return baseUrl.replace(/\/$/, '');
}
