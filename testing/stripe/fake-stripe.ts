import type { Instant } from '../time/instant.ts';
import type { Permissions } from './api/api-keys.ts';
import type { SeenRequest } from './api/endpoint.ts';
import type { Faults } from './api/faults.ts';
import type { Delivery, ShopEvent } from './events/shop-event.ts';
import type { ApiVersion } from './events/versions.ts';
import type { MiddleOptions, PurchaseOptions, Subscribed, SubscribeOptions, Verdict } from './shop/options.ts';

export type { Permissions } from './api/api-keys.ts';
export type { FaultOptions, Faults, HeldAnswer, RequestPattern, StatusOptions } from './api/faults.ts';
export type { SeenRequest } from './api/endpoint.ts';
export type { Delivery, ShopEvent } from './events/shop-event.ts';
export type { ApiVersion } from './events/versions.ts';
export type { MiddleOptions, PurchaseOptions, Subscribed, SubscribeOptions, Verdict } from './shop/options.ts';

export interface FakeStripeOptions {
  /** The clock of the shop. Default: the clock of the machine. */
  readonly clock?: { readonly now: () => Date } | undefined;
  /** The API version of the account, in which it stores its events. Default: that of the library `stripe`. */
  readonly apiVersion?: ApiVersion | undefined;
}

export interface PriceOptions {
  /** Default: a new id. */
  readonly id?: string | undefined;
  /** Null for a price that is paid once. Default: `month`. */
  readonly interval?: 'day' | 'week' | 'month' | 'year' | null | undefined;
  /** How many intervals a period has: three years at most, as at Stripe. Default: 1. */
  readonly intervalCount?: number | undefined;
  /** In the smallest unit of the currency. Default: 900. */
  readonly amount?: number | undefined;
  /** The id of the product at Stripe. Default: a new id. */
  readonly product?: string | undefined;
  /** Default: true. */
  readonly active?: boolean | undefined;
}

export interface EndpointOptions {
  readonly url: string;
  /** The types of events that it gets. Default: all. */
  readonly events?: readonly string[] | undefined;
  /** Whether events have their object, or only name it. Default: `snapshot`. */
  readonly payload?: 'snapshot' | 'thin' | undefined;
  /** Default: the version of the account. */
  readonly apiVersion?: ApiVersion | undefined;
  /** Default: `webhookSecret`. */
  readonly secret?: string | undefined;
}

/** What the shop's buyers and the shop itself do. Each resolves when its events have been delivered. */
export interface Shop {
  /** Adds a price. Returns its id. */
  readonly addPrice: (options?: PriceOptions) => string;
  /** Has a buyer subscribe. */
  readonly subscribe: (options?: SubscribeOptions) => Promise<Subscribed>;
  /** Brings a subscription to the end of its period: it ends if it was canceled, else the next period is paid. */
  readonly renew: (subscription: string) => Promise<void>;
  /** Brings a subscription to the end of its period, and declines the payment of the next: it is `past_due`. */
  readonly failPayment: (subscription: string) => Promise<void>;
  /**
   * Bills in the middle of a period, as for an upgrade, which leaves the period as it is. The invoice is the latest one then.
   * Returns its id.
   */
  readonly billInTheMiddle: (subscription: string, options?: MiddleOptions) => Promise<string>;
  /** Pays the latest invoice. */
  readonly pay: (subscription: string) => Promise<void>;
  /** Stops asking for the latest invoice's payment, with the outcome that the shop's rules say. */
  readonly stopRetries: (subscription: string, outcome: 'unpaid' | 'canceled' | 'incomplete_expired') => Promise<void>;
  /** Cancels by an instant, as the customer portal does. Default: the end of the period. */
  readonly cancel: (subscription: string, at?: Instant) => Promise<void>;
  /** Cancels by the flag `cancel_at_period_end`. */
  readonly cancelAtPeriodEnd: (subscription: string) => Promise<void>;
  /** Undoes a cancellation, whichever way it was made. */
  readonly undoCancellation: (subscription: string) => Promise<void>;
  /** Ends a subscription. Default: now. */
  readonly end: (subscription: string, at?: Instant) => Promise<void>;
  /** Pauses a subscription, as after a trial without a means of payment. */
  readonly pause: (subscription: string) => Promise<void>;
  readonly resume: (subscription: string) => Promise<void>;
  readonly pauseCollection: (
    subscription: string,
    behavior?: 'keep_as_draft' | 'mark_uncollectible' | 'void',
  ) => Promise<void>;
  readonly resumeCollection: (subscription: string) => Promise<void>;
  readonly endTrial: (subscription: string) => Promise<void>;
  /** Changes the price of the first item. Another interval begins a new period. */
  readonly changePrice: (subscription: string, price: string) => Promise<void>;
  readonly changeQuantity: (subscription: string, quantity: number) => Promise<void>;
  /** Has a subscription schedule manage a subscription: Stripe then refuses to cancel it directly. */
  readonly schedule: (subscription: string) => Promise<void>;
  /** Has a buyer pay once. Returns the id of the checkout session. */
  readonly purchase: (options?: PurchaseOptions) => Promise<string>;
  /** Has the delayed payment of a session arrive, or fail. */
  readonly settle: (session: string, payment?: 'succeeds' | 'fails') => Promise<void>;
  /** Lets the time of a session pass that its buyer has left open: it has expired. */
  readonly expire: (session: string) => Promise<void>;
  /** Gives the customer of a purchase or subscription another address, as the customer portal does; null for none. */
  readonly changeEmail: (id: string, email: string | null) => Promise<void>;
  /** Refunds a purchase, an invoice, or the latest payment of a subscription. Default: all that is left. */
  readonly refund: (id: string, amount?: number) => Promise<void>;
  /** Has the bank return the last refund. */
  readonly failRefund: (id: string) => Promise<void>;
  /** Disputes a purchase, or the latest payment of a subscription. */
  readonly dispute: (id: string, kind?: 'dispute' | 'inquiry') => Promise<void>;
  readonly closeDispute: (id: string, verdict: Verdict) => Promise<void>;
}

/** Stripe's API with one account, on this machine. */
export interface FakeStripe extends Shop {
  /** The address of the API: `STRIPE_API_BASE`. */
  readonly url: string;
  /** A secret key: `STRIPE_API_KEY`. */
  readonly apiKey: string;
  /** Signs deliveries: `STRIPE_WEBHOOK_SECRET`. */
  readonly webhookSecret: string;
  /** Issues a key that may do only this, such as `{ subscription: 'write', invoice: 'read' }`. */
  readonly restrictedKey: (permissions: Permissions) => string;
  /** Lets a key expire. Default: `apiKey`. */
  readonly expireKey: (key?: string) => void;
  /** Makes an expired key valid again. Default: `apiKey`. */
  readonly restoreKey: (key?: string) => void;
  /** Has the shop follow another clock. */
  readonly follow: (clock: { readonly now: () => Date }) => void;
  /** Adds a webhook endpoint, which gets the events from now on. Returns its id. */
  readonly addEndpoint: (options: EndpointOptions) => string;
  /** The object of this id as it is now, in the version of the library. A copy. */
  readonly object: (id: string) => Readonly<Record<string, unknown>>;
  /** Everything that has happened, oldest first. */
  readonly events: readonly ShopEvent[];
  /** Keeps events back, until `resumeDeliveries` or `deliver`. */
  readonly pauseDeliveries: () => void;
  /** Delivers at once again, what happens from now on. */
  readonly resumeDeliveries: () => void;
  /** Delivers these events in this order, each as often as it is named. Default: what no endpoint has accepted. */
  readonly deliver: (events?: readonly ShopEvent[]) => Promise<readonly Delivery[]>;
  /** The events that an endpoint listens to and has not accepted. */
  readonly undelivered: () => readonly ShopEvent[];
  /** The deliveries so far. */
  readonly deliveries: readonly Delivery[];
  /** The requests so far. */
  readonly requests: readonly SeenRequest[];
  /** What goes wrong with the next requests. */
  readonly faults: Pick<Faults, 'hold' | 'answer' | 'cut' | 'hang' | 'clear'>;
  /** Stops the fake. Also at the end of a block with `await using`. */
  readonly stop: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}
