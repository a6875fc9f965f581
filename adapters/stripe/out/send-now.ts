import { outgoing } from '../../../core/billing/outgoing-stream.ts';
import type { Call } from '../../../core/call.ts';
import { untilStored } from '../../../core/compare-and-set.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { DeliveryOutcome } from '../../../core/webhook/send-delivery.ts';
import { changeStream } from '../../../core/webhook/stored-streams.ts';
import { withEffect, type ReceiverTime } from '../../../core/webhook/stream/delivery-effect.ts';
import { streamName, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
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

export function sendNow(parts: Parts): SendNow {
  return (entitlement, call) => untilStored(call, () => sendOnce(parts, entitlement, call));
}

/** Returns `stale` without sending anything if another process has written the stream meanwhile. */
async function sendOnce(
  { send, readPending, deliveryStreams }: Parts,
  entitlement: Entitlement,
  call: Call,
): Promise<DeliveryOutcome['kind'] | null | 'stale'> {
  const { id, productId } = entitlement;
  let stream = await deliveryStreams.find(streamName(outgoing, productId), call);
  const pending = await readPending(entitlement, call);
  if (pending === null) return null;
  let isStale = false;
  const keepEffect = async (effect: ReceiverTime): Promise<boolean> => {
    if (stream === null) return true;
    const next: DeliveryStream = {
      ...stream,
      effects: withEffect(stream.effects, id, effect, call.now),
      fence: stream.fence + 1,
    };
    isStale = (await deliveryStreams.replace(next, call)).kind === 'stale';
    stream = next;
    return !isStale;
  };
  const isResumed = entitlement.kind === 'subscription' && entitlement.cancellation === null;
  const { kind, effect } = await send(id, { resumption: isResumed ? pending : null, keepEffect }, call);
  if (isStale) return 'stale';
  if (kind !== 'delivered' || stream === null) return kind;
  // What was read before it was sent: a later change stays.
  const position = Math.max(0, ...(stream.pending.get(id)?.positions ?? []));
  await changeStream(
    deliveryStreams,
    stream,
    (stored) => {
      const skipped = skippedTo(stored, { position, entitlementId: id }, call.now);
      if (effect === undefined) return skipped;
      return { ...skipped, effects: withEffect(skipped.effects, id, effect, call.now) };
    },
    call,
  );
  return kind;
}
