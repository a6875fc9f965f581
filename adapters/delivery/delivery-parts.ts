import type { Clock, MonotonicClock, NewCall } from '../../core/call.ts';
import type { Events } from '../../core/feed/events.port.ts';
import type { LoggedEvent } from '../../core/feed/logged-event.ts';
import type { Products } from '../../core/product/products.port.ts';
import type { DisableWebhook } from '../../core/webhook/enable-webhook.ts';
import type { DeliveryOutcome, SendDelivery } from '../../core/webhook/send-delivery.ts';
import type { DeliveryStreams } from '../../core/webhook/stream/delivery-streams.port.ts';
import type { DelayTerms } from '../../core/webhook/stream/retry-schedule.ts';
import type { WebhookEndpoints } from '../../core/webhook/webhook-endpoints.port.ts';

/** The ports and functions that deliveries need. */
export interface DeliveryParts {
  readonly endpoints: Pick<WebhookEndpoints, 'page'>;
  readonly streams: DeliveryStreams;
  readonly events: Events;
  readonly products: Products;
  readonly disableWebhook: DisableWebhook;
  readonly send: SendDelivery;
  /** Whether no delivery may begin, because the wall clock is in doubt. */
  readonly isPaused: () => boolean;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  /** The attempts on receivers that are down. Default: `probe`. */
  readonly whenDown?: DelayTerms['whenDown'];
  /** Begins a call of the clock. */
  readonly newCall: NewCall;
  readonly report: (report: DeliveryReport) => void;
  /** Requests of a stream that may be in flight for longer beside those that are answered soon. Default: none. */
  readonly maxSlow?: number;
  /** An event older than this, in milliseconds, is parked. Default: never. */
  readonly maxAge?: ((event: LoggedEvent) => number) | null;
  /**
   * Whether deliveries send the current state, so that a new event also makes older parked ones due. Default: false.
   */
  readonly sendsState?: boolean;
  /** Called when the store has the state in which an event of an entitlement is delivered. */
  readonly onStored?: (entitlementId: string) => void;
  /** Names this process among those that share the streams, see `holderName`. */
  readonly holder: string;
}

/** A worker's report of its deliveries. It contains no secret, URL or content. */
export type DeliveryReport =
  /** The outcome of a request. */
  | { readonly kind: 'sent'; readonly outcome: DeliveryOutcome['kind'] }
  | {
      readonly kind: 'parked';
      readonly endpointId: string;
      readonly productId: string;
      readonly entitlementId: string;
      readonly answer: string;
    }
  | { readonly kind: 'down'; readonly endpointId: string; readonly productId: string; readonly answer: string }
  | { readonly kind: 'disabled'; readonly endpointId: string; readonly reason: 'gone' | 'failing' }
  | { readonly kind: 'lost'; readonly endpointId: string; readonly productId: string; readonly position: number }
  | { readonly kind: 'fault'; readonly error: unknown };
