import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import type { PlacedEvent } from '../../../core/feed/events.port.ts';
import type { DeliveryAttempt } from '../../../core/webhook/stream/delivery-attempt.ts';
import { newStream, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../../../core/webhook/stream/delivery-streams.port.ts';
import { afterCommand } from '../../../core/webhook/stream/set-aside.ts';
import type { WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';
import { aCall, anEvent, aSubscription, noon } from '../builders.ts';

/** A secret of the form in which they are made. */
export const aSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export function anEndpoint(overrides: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    id: 'whk_1',
    addition: 'add_1',
    url: 'https://merchant.example/hooks',
    productId: 'prod_1',
    types: ['entitlement.ended', 'entitlement.renewed'],
    secrets: [{ key: aSecret, until: null }],
    state: 'enabled',
    reason: null,
    isPublicOnly: false,
    createdAt: noon,
    revision: 1,
    ...overrides,
  };
}

export function aStream(overrides: Partial<DeliveryStream> = {}): DeliveryStream {
  return { ...newStream({ endpointId: 'whk_1', addition: 'add_1', productId: 'prod_1' }, 0), ...overrides };
}

/** Adds a stream, and sets aside what it has that is not due at noon, as processes that deliver do. */
export async function addSetAside(streams: DeliveryStreams, added: DeliveryStream): Promise<void> {
  await streams.add([added], aCall());
  const { stream, changes } = afterCommand(added, added.pending.keys(), noon);
  await streams.replace({ ...stream, fence: added.fence + 1 }, aCall(), changes);
}

/** An attempt at noon that was answered. */
export function anAttempt(overrides: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  return { at: noon, position: 1, eventId: 'evt_1', status: 204, reason: null, durationMs: 12, ...overrides };
}

/** An event of an entitlement at a position. */
export function placed(
  position: number,
  entitlementId: string,
  overrides: Partial<EntitlementEvent> = {},
): PlacedEvent {
  const entitlement = aSubscription({ id: entitlementId, sequence: position });
  return { position, event: anEvent(entitlement, { id: `evt_${position}`, ...overrides }) };
}
