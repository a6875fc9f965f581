import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import type { TestMessage } from '../../../core/webhook/send-delivery.ts';
import { eventView } from '../events/event-view.ts';

/** The body of a delivery. Its id is the field `webhook-id`. */
export function messageBody(message: EntitlementEvent | TestMessage): string {
  return JSON.stringify(message.type === 'webhook.test' ? testView(message) : eventView(message));
}

function testView({ type, at }: TestMessage): object {
  return { type, timestamp: at.toISOString(), data: {} };
}
