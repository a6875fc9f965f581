import type { Call, NewCall } from '../call.ts';
import { untilStored } from '../compare-and-set.ts';
import { slices, walk, type ReadSlice } from '../paging/walk.ts';
import type { DeliveryStream } from './stream/delivery-stream.ts';
import type { DeliveryStreams } from './stream/delivery-streams.port.ts';
import { afterCommand, type AsideChanges } from './stream/set-aside.ts';
import { isStreamOf, type WebhookEndpoint } from './webhook-endpoint.ts';

/** Walks over the streams of every addition of an endpoint, or over those of every endpoint (null). */
export function everyStream(
  streams: Pick<DeliveryStreams, 'page'>,
  endpointId: string | null,
  newCall: NewCall,
): AsyncIterable<DeliveryStream> {
  return walk(pagesOf(streams, endpointId), newCall);
}

/** Yields the same streams in slices of at most 200. */
export function streamSlices(
  streams: Pick<DeliveryStreams, 'page'>,
  endpointId: string | null,
  newCall: NewCall,
): AsyncIterable<readonly DeliveryStream[]> {
  return slices(pagesOf(streams, endpointId), newCall);
}

function pagesOf(streams: Pick<DeliveryStreams, 'page'>, endpointId: string | null): ReadSlice<DeliveryStream> {
  return (after, limit, call) => streams.page({ endpointId, after, limit }, call);
}

/** Reads every stream of an endpoint, by product. */
export async function streamsOf(
  streams: DeliveryStreams,
  endpoint: WebhookEndpoint,
  call: Call,
): Promise<readonly DeliveryStream[]> {
  const all = await Array.fromAsync(everyStream(streams, endpoint.id, () => call));
  return all.filter((stream) => isStreamOf(stream, endpoint));
}

/** Removes the streams of an endpoint's id that are left over. */
export async function removeStreams(
  streams: DeliveryStreams,
  endpointId: string,
  isLeftOver: (stream: DeliveryStream) => boolean,
  call: Call,
): Promise<void> {
  for await (const slice of streamSlices(streams, endpointId, () => call)) {
    const leftOver = slice.filter(isLeftOver);
    if (leftOver.length > 0) await streams.remove(leftOver, call);
  }
}

/** The events that a change of a stream needs from those that were set aside. */
export type Needed =
  /** The entitlements that it is about; `all` for all of them. */
  | { readonly take: readonly string[] | 'all' }
  /** A change of all of them, without taking them back. */
  | { readonly all: NonNullable<AsideChanges['all']> };

/**
 * Changes the stored state of a stream. `decide` returns its argument if nothing changes. The process that delivers
 * notices that the fence has moved, and reads the stream again. Returns null for a stream that was removed. Refuses
 * with `changed_meanwhile` at the deadline.
 */
export async function changeStream(
  streams: DeliveryStreams,
  seen: DeliveryStream,
  decide: (stored: DeliveryStream) => DeliveryStream,
  call: Call,
  needed: Needed = { take: [] },
): Promise<DeliveryStream | null> {
  const take = 'take' in needed ? needed.take : [];
  const find = (): Promise<DeliveryStream | null> => streams.find(seen, call, take);
  let stored: DeliveryStream | null = take.length === 0 ? seen : await find();
  return untilStored(call, async () => {
    if (stored === null) return null;
    const decided = decide(stored);
    if (decided === stored) return stored;
    // An entitlement that was not taken back has no row, so that its removal changes nothing.
    const { stream, changes } = afterCommand(decided, take.length === 0 ? [] : stored.pending.keys(), call.now);
    const next = { ...stream, fence: stored.fence + 1 };
    const outcome = await streams.replace(next, call, 'all' in needed ? { ...changes, all: needed.all } : changes);
    if (outcome.kind === 'replaced') return next;
    stored = await find();
    return outcome.kind;
  });
}
