import type { EntitlementEvent } from '../entitlement/event/entitlement-event.ts';

/** A message that shows whether deliveries arrive. It is about no entitlement. */
export interface TestMessage {
  readonly id: string;
  readonly type: 'webhook.test';
  readonly at: Date;
}

/** A request to an endpoint. */
export interface Delivery {
  readonly url: string;
  readonly keys: readonly string[];
  readonly message: EntitlementEvent | TestMessage;
}

/** The result of one request. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered'; readonly answer: string }
  /** The receiver wants no more events, ever. */
  | { readonly kind: 'gone'; readonly answer: string }
  | {
      readonly kind: 'failed';
      /** What went wrong, for people: the receiver's status, or why there was none. Contains nothing of its answer. */
      readonly answer: string;
      /** Milliseconds until the receiver wants to be asked again; null if it did not say. */
      readonly retryAfter: number | null;
    };

/**
 * Sends a message once, signed by every key at the time of the sender. Resolves within `timeout` milliseconds, and within 15
 * seconds, and never throws.
 */
export type SendDelivery = (delivery: Delivery, timeout?: number) => Promise<DeliveryOutcome>;

/** The kinds of outcomes. */
export const deliveryOutcomes = ['delivered', 'failed', 'gone'] as const satisfies readonly DeliveryOutcome['kind'][];
