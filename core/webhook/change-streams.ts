import type { Call, NewCall } from '../call.ts';
import { Refusal } from '../refusal.ts';
import { walk } from '../paging/walk.ts';
import type { DeliveryStream } from './stream/delivery-stream.ts';
import type { DeliveryStreams } from './stream/delivery-streams.port.ts';

/** Walks over the streams of an endpoint, by product, or over those of every endpoint (null). */
export function everyStream(
  streams: Pick<DeliveryStreams, 'page'>,
  endpointId: string | null,
  newCall: NewCall,
): AsyncIterable<DeliveryStream> {
  return walk<DeliveryStream>((after, limit, call) => streams.page({ endpointId, after, limit }, call), newCall);
}

/** Reads every stream of an endpoint, by product. */
export function streamsOf(
  streams: DeliveryStreams,
  endpointId: string,
  call: Call,
): Promise<readonly DeliveryStream[]> {
  return Array.fromAsync(everyStream(streams, endpointId, () => call));
}

/** How often a change is decided anew because the process that delivers has written the stream meanwhile. */
const maxAttempts = 10;

/**
 * Changes a stream as it is stored; `decide` returns what it was given where nothing changes. The process that delivers
 * finds its fence gone and reads the stream again. Refuses with `changed_meanwhile`.
 */
export async function changeStream(
  streams: DeliveryStreams,
  seen: DeliveryStream,
  decide: (stored: DeliveryStream) => DeliveryStream,
  call: Call,
): Promise<DeliveryStream | null> {
  let stored: DeliveryStream | null = seen;
  for (let attempt = 0; attempt < maxAttempts && stored !== null; attempt += 1) {
    const decided = decide(stored);
    if (decided === stored) return stored;
    const next = { ...decided, fence: stored.fence + 1 };
    if ((await streams.change(next, call)) === 'changed') return next;
    stored = await streams.find(stored, call);
  }
  if (stored === null) return null;
  throw new Refusal('changed_meanwhile');
}
