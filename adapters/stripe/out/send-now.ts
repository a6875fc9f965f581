import { outgoing } from '../../../core/billing/outgoing-stream.ts';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { DeliveryOutcome } from '../../../core/webhook/send-delivery.ts';
import { changeStream } from '../../../core/webhook/stored-streams.ts';
import { streamName } from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../../../core/webhook/stream/delivery-streams.port.ts';
import { skippedTo } from '../../../core/webhook/stream/stream-commands.ts';
import type { ReadPending } from '../look/look.ts';
import type { SendCancellation } from './send-cancellation.ts';

/**
 * Sends the cancellation of an entitlement at once if a change is on its way to Stripe, parked or not, and takes the change
 * out of the stream. Returns null if none is on its way. The entitlement must be looked at then.
 */
export type SendNow = (entitlement: Entitlement, call: Call) => Promise<DeliveryOutcome['kind'] | null>;

interface Parts {
  readonly send: SendCancellation;
  readonly readPending: ReadPending;
  readonly deliveryStreams: DeliveryStreams;
}

export function sendNow({ send, readPending, deliveryStreams }: Parts): SendNow {
  return async (entitlement, call) => {
    const { id, productId } = entitlement;
    const pending = await readPending(entitlement, call);
    if (pending === null) return null;
    const stream = await deliveryStreams.find(streamName(outgoing, productId), call);
    const { kind } = await send(
      id,
      entitlement.kind === 'subscription' && entitlement.cancellation === null ? pending.askedAt : null,
      call,
    );
    if (kind !== 'delivered' || stream === null) return kind;
    // What was read before it was sent: a later change stays.
    const position = Math.max(0, ...(stream.pending.get(id)?.positions ?? []));
    await changeStream(
      deliveryStreams,
      stream,
      (stored) => skippedTo(stored, { position, entitlementId: id }, call.now),
      call,
    );
    return kind;
  };
}
