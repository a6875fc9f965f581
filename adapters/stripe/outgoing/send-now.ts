import { billing, outgoing } from '../../../core/billing/outgoing-stream.ts';
import type { Call } from '../../../core/call.ts';
import { untilStored } from '../../../core/compare-and-set.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { Events } from '../../../core/feed/events.port.ts';
import { withUnread } from '../../../core/receiver/unread-events.ts';
import type { DeliveryOutcome } from '../../../core/webhook/send-delivery.ts';
import { withEffect, type ReceiverEffect } from '../../../core/webhook/stream/delivery-effect.ts';
import { streamName, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../../../core/webhook/stream/delivery-streams.port.ts';
import { afterCommand } from '../../../core/webhook/stream/set-aside.ts';
import { skippedTo } from '../../../core/webhook/stream/stream-commands.ts';
import type { ReadPending } from '../look/look.ts';
import type { SendState } from './send-state.ts';

/**
 * Sends the state of an entitlement at once if a change is on its way to Stripe, parked or not, and takes the change
 * out of the stream. Returns null if none is on its way. The entitlement must be looked at afterwards.
 */
export type SendNow = (entitlement: Entitlement, call: Call) => Promise<DeliveryOutcome['kind'] | null>;

interface Parts {
  readonly send: SendState;
  readonly readPending: ReadPending;
  readonly deliveryStreams: DeliveryStreams;
  readonly events: Pick<Events, 'page'>;
}

export function sendNow(parts: Parts): SendNow {
  return (entitlement, call) => untilStored(call, () => sendOnce(parts, entitlement, call));
}

/** Returns `stale` if another process has written the stream since it was read, and sends nothing after that. */
async function sendOnce(
  { send, readPending, deliveryStreams, events }: Parts,
  entitlement: Entitlement,
  call: Call,
): Promise<DeliveryOutcome['kind'] | null | 'stale'> {
  const { id, productId } = entitlement;
  const stored = await deliveryStreams.find(streamName(outgoing, productId), call, [id]);
  // Events that no server has read yet are taken out, too.
  let stream = stored === null ? null : (await withUnread({ events, deliveryStreams }, billing, stored, call)).stream;
  const pending = await readPending(entitlement, call);
  if (pending === null) return null;
  let isStale = false;
  const write = async (next: DeliveryStream): Promise<boolean> => {
    const written = afterCommand(next, stream?.pending.keys() ?? [], call.now);
    const outcome = await deliveryStreams.replace({ ...written.stream, fence: next.fence + 1 }, call, written.changes);
    // In memory nothing is set aside: the next write repeats what it takes out.
    stream = { ...next, fence: next.fence + 1 };
    isStale = outcome.kind === 'stale';
    return !isStale;
  };
  const withKept = (seen: DeliveryStream, effect: ReceiverEffect | undefined): DeliveryStream =>
    effect === undefined ? seen : { ...seen, effects: withEffect(seen, id, effect, call.now) };
  const keepEffect = async (effect: ReceiverEffect): Promise<boolean> =>
    stream === null || write(withKept(stream, effect));
  const isResumed = entitlement.kind === 'subscription' && entitlement.cancellation === null;
  const resumption = isResumed && pending.kind !== 'hold' ? pending : null;
  const known = stream?.effects.get(id) ?? null;
  const named = { eventId: pending.eventId ?? id, effect: known };
  const { kind, effect } = await send(id, { parts: pending.parts, resumption, ...named, keepEffect }, call);
  if (isStale) return 'stale';
  if (kind !== 'delivered' || stream === null) return kind;
  const position = Math.max(0, ...(stream.pending.get(id)?.positions ?? []));
  await write(withKept(skippedTo(stream, { position, entitlementId: id }, call.now), effect));
  return isStale ? 'stale' : kind;
}
