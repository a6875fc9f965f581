import { outgoing } from '../../../core/billing/outgoing-stream.ts';
import type { Call } from '../../../core/call.ts';
import { maxDifference } from '../../../core/clock/clock-state.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { changeStream } from '../../../core/webhook/stored-streams.ts';
import { withEffect } from '../../../core/webhook/stream/delivery-effect.ts';
import { streamName } from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../../../core/webhook/stream/delivery-streams.port.ts';
import type { KeepSeen } from '../look/look.ts';

interface Parts {
  readonly deliveryStreams: DeliveryStreams;
  readonly find: (entitlementId: string, call: Call) => Promise<Entitlement | null>;
}

/** Keeps it with the deliveries to Stripe, beside what they have done themselves. */
export function keepSeen({ deliveryStreams, find }: Parts): KeepSeen {
  return async (entitlement, canceledAt, call) => {
    const { id, productId } = entitlement;
    // By any clock, this is before a resumption that is yet to come.
    if (call.now.getTime() - canceledAt.getTime() > 2 * maxDifference) return;
    const stream = await deliveryStreams.find(streamName(outgoing, productId), call);
    if (stream === null) return;
    const known = stream.effects.get(id);
    if (known !== undefined && known.from <= canceledAt && canceledAt <= known.to) return;
    const stored = await find(id, call);
    if (stored?.revision !== entitlement.revision) return;
    const effect = { from: canceledAt, to: canceledAt };
    await changeStream(
      deliveryStreams,
      stream,
      (each) => ({ ...each, effects: withEffect(each, id, effect, call.now) }),
      call,
    );
  };
}
