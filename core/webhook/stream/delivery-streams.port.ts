import type { Call, NewCall } from '../../call.ts';
import type { ReplaceOutcome } from '../../compare-and-set.ts';
import type { Events } from '../../feed/events.port.ts';
import type { DeliveryStream, StreamName } from './delivery-stream.ts';
import type { AsideChanges, WaitingDelivery } from './set-aside.ts';

/** A part of the list of streams, whose order never changes. Those of one addition are by product in code-point order. */
export interface StreamPage {
  /** The streams of every addition of an endpoint; null for those of every endpoint. */
  readonly endpointId: string | null;
  readonly after: StreamName | null;
  readonly limit: number;
}

/** The states of deliveries, which survive the process that delivers. */
export interface DeliveryStreams {
  /** Finds a stream. Deliveries of these subjects that were set aside, or all of them, are taken back into it. */
  find(name: StreamName, call: Call, aside?: readonly string[] | 'all'): Promise<DeliveryStream | null>;

  page(page: StreamPage, call: Call): Promise<readonly DeliveryStream[]>;

  /** Adds at most 200 streams, apart from those that there are. */
  add(streams: readonly DeliveryStream[], call: Call): Promise<void>;

  /**
   * Replaces a stream if its stored fence is one less than that of `next`, and with it what is set aside. It is removed with
   * its endpoint.
   */
  replace(next: DeliveryStream, call: Call, changes?: AsideChanges): Promise<ReplaceOutcome>;

  /** Finds what was set aside of a stream and is to be tried first, in the order of time: due or not, but not parked. */
  next(name: StreamName, limit: number, call: Call): Promise<ReadonlyMap<string, WaitingDelivery>>;

  /** Removes at most 200 streams, and what was set aside of them. Names without a stream are ignored. */
  remove(names: readonly StreamName[], call: Call): Promise<void>;
}

/** Products that are looked up together: about 3 ms of the process's time. */
const sliceSize = 500;

/** The last positions of any number of products. Those with an empty log are absent. */
export async function everyLastPosition(
  events: Pick<Events, 'lastPositions'>,
  productIds: readonly string[],
  newCall: NewCall,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (let from = 0; from < productIds.length; from += sliceSize) {
    const slice = await events.lastPositions(productIds.slice(from, from + sliceSize), newCall());
    for (const [productId, last] of slice) found.set(productId, last);
  }
  return found;
}
