import type { Permissions } from './api/api-keys.ts';
import type { SeenRequest } from './api/endpoint.ts';
import type { Faults } from './api/faults.ts';
import type { Delivery, ShopEvent } from './events/shop-event.ts';
import type { ApiVersion } from './events/versions.ts';
import type { Shop } from './shop/shop-actions.ts';

export type { Permissions } from './api/api-keys.ts';
export type { FaultOptions, Faults, HeldAnswer, RequestPattern, StatusOptions } from './api/faults.ts';
export type { SeenRequest } from './api/endpoint.ts';
export type { Delivery, ShopEvent } from './events/shop-event.ts';
export type { ApiVersion } from './events/versions.ts';
export type {
  DisputeOptions,
  MiddleOptions,
  PaymentOptions,
  PriceOptions,
  PromotionCodeOptions,
  PurchaseOptions,
  Subscribed,
  SubscribeOptions,
  Verdict,
} from './shop/options.ts';
export type { Shop } from './shop/shop-actions.ts';

export interface FakeStripeOptions {
  /** The clock of the shop. Default: the clock of the machine. */
  readonly clock?: { readonly now: () => Date } | undefined;
  /** The API version of the account, in which it stores its events. Default: that of the library `stripe`. */
  readonly apiVersion?: ApiVersion | undefined;
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
  /** The faults of the next requests. */
  readonly faults: Pick<Faults, 'hold' | 'answer' | 'cut' | 'hang' | 'clear'>;
  /** Stops the fake. Also at the end of a block with `await using`. */
  readonly stop: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}
