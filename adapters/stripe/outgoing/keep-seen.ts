import { outgoing } from '../../../core/billing/outgoing-stream.ts';
import type { Call } from '../../../core/call.ts';
import { maxDifference } from '../../../core/clock/clock-state.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { changeStream } from '../../../core/webhook/stored-streams.ts';
import { withEffect, type ReceiverEffect } from '../../../core/webhook/stream/delivery-effect.ts';
import { streamName } from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../../../core/webhook/stream/delivery-streams.port.ts';
import type { KeepSeen } from '../look/look.ts';

interface Parts {
  readonly deliveryStreams: DeliveryStreams;
  readonly find: (entitlementId: string, call: Call) => Promise<Entitlement | null>;
}

/** Keeps it with the deliveries to Stripe, beside their own effects. */
export function keepSeen({ deliveryStreams, find }: Parts): KeepSeen {
  return async (entitlement, seen, call) => {
    const { id, productId } = entitlement;
    const stream = await deliveryStreams.find(streamName(outgoing, productId), call, [id]);
    if (stream === null) return;
    const known = stream.effects.get(id);
    const isNewMark = seen.mark !== null && known?.unseen.includes(seen.mark) === true;
    // By any clock, an older cancellation is before a resumption that is yet to come.
    const isOld = seen.at === null || call.now.getTime() - seen.at.getTime() > 2 * maxDifference;
    const isKnown = known !== undefined && known.mark === seen.mark && known.at?.getTime() === seen.at?.getTime();
    if (!isNewMark && (isOld || isKnown)) return;
    const stored = await find(id, call);
    if (stored?.revision === entitlement.revision) await keepEffect(deliveryStreams, entitlement, seen, call);
  };
}

/** Keeps an effect of an entitlement whose stream nobody may be delivering. Does nothing without a stream. */
export async function keepEffect(
  deliveryStreams: DeliveryStreams,
  { id, productId }: Entitlement,
  effect: ReceiverEffect,
  call: Call,
): Promise<void> {
  const stream = await deliveryStreams.find(streamName(outgoing, productId), call);
  if (stream === null) return;
  await changeStream(
    deliveryStreams,
    stream,
    (each) => ({ ...each, effects: withEffect(each, id, effect, call.now) }),
    call,
    { take: [id] },
  );
}
