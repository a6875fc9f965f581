import { Listings, Waitlist } from './catalog.ts';
import { Entitlements } from './entitlements.ts';
import { Events } from './events.ts';
import { Licenses } from './licenses.ts';
import type { ConnectionOptions } from './request.ts';
import { createTransport } from './transport.ts';

export interface ClientOptions extends ConnectionOptions {
  /** `svc_sk_live_…`, for entitlements and events. A secret of your server: never give it to a browser or an app. */
  readonly appKey?: string | undefined;
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
  constructor({ appKey, ...options }: ClientOptions) {
    const transport = createTransport(options, appKey ?? null);
    this.listings = new Listings(transport);
    this.waitlist = new Waitlist(transport);
    this.licenses = new Licenses(transport);
    this.entitlements = new Entitlements(transport);
    this.events = new Events(transport);
  }
}
