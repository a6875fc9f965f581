import type { Call } from '../call.ts';
import type { LoggedEvent } from '../feed/logged-event.ts';
import type { NewId } from '../identifier.ts';
import { findWebhook } from './change-webhook.ts';
import type { DeliveryEffect, ReceiverEffect } from './stream/delivery-effect.ts';
import { signingKeys } from './webhook-endpoint.ts';
import type { WebhookEndpoints } from './webhook-endpoints.port.ts';

/** A message that shows whether deliveries arrive. It is about no entitlement. */
export interface TestMessage {
  readonly id: string;
  readonly type: 'webhook.test';
  readonly at: Date;
}

/** A request to an endpoint. */
export interface Delivery {
  readonly url: string;
  /** Whether the request never reaches the networks that the service allows its owner. */
  readonly isPublicOnly: boolean;
  readonly keys: readonly string[];
  readonly message: LoggedEvent | TestMessage;
  /** The known effect of the entitlement's deliveries. */
  readonly effect?: DeliveryEffect | undefined;
  /**
   * Keeps the effect that the receiver may have before it is asked to, so that a process that takes over knows.
   * Resolves with whether this process still delivers. Absent for a message that no stream delivers.
   */
  readonly keepEffect?: (effect: ReceiverEffect) => Promise<boolean>;
  /** Aborted when another process may soon deliver. Absent for a message that no stream delivers. */
  readonly signal?: AbortSignal;
}

/** A receiver's answer to a request. */
interface ReceivedAnswer {
  /** For people: the status, or why there was none. Contains nothing else of the answer. */
  readonly answer: string;
  /** Null if there was none. */
  readonly status: number | null;
  /** The known effect. Absent if the receiver does not say. */
  readonly effect?: ReceiverEffect | undefined;
}

/** The result of one request. */
export type DeliveryOutcome = ReceivedAnswer &
  (
    | { readonly kind: 'delivered' }
    /** The receiver wants no more events, ever. */
    | { readonly kind: 'gone' }
    | {
        readonly kind: 'failed';
        /** Milliseconds until the receiver wants to be asked again; null if it did not say. */
        readonly retryAfter: number | null;
      }
  );

/**
 * Sends a message once, signed by every key at the time of the sender. Resolves within `timeout` milliseconds, and within 15
 * seconds or soon after its signal is aborted, and never throws.
 */
export type SendDelivery = (delivery: Delivery, timeout?: number) => Promise<DeliveryOutcome>;

/** The kinds of outcomes. */
export const deliveryOutcomes = ['delivered', 'failed', 'gone'] as const satisfies readonly DeliveryOutcome['kind'][];

/** The time before the deadline of the call from which on a receiver counts as silent, in milliseconds. */
const reserve = 250;

/**
 * Sends a message of the type `webhook.test` to an endpoint, enabled or not, and returns how that went, before the
 * deadline of the call. It changes no state, whatever the answer is. Refuses with `webhook_not_found`.
 */
export type TestWebhook = (id: string, call: Call) => Promise<DeliveryOutcome>;

export function testWebhook(endpoints: WebhookEndpoints, newEventId: NewId, send: SendDelivery): TestWebhook {
  return async (id, call) => {
    const endpoint = await findWebhook(endpoints, id, call);
    const message = { id: newEventId(), type: 'webhook.test' as const, at: call.now };
    const delivery = {
      url: endpoint.url,
      isPublicOnly: endpoint.isPublicOnly,
      keys: signingKeys(endpoint, call.now),
      message,
    };
    return send(delivery, Math.max(0, call.deadline.remaining() - reserve));
  };
}
