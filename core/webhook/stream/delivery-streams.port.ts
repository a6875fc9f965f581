import type { Call } from '../../call.ts';
import type { ReplaceOutcome } from '../../until-stored.ts';
import type { DeliveryStream, StreamName } from './delivery-stream.ts';

/** A part of the list of streams, whose order never changes. Those of one addition are by product in code-point order. */
export interface StreamPage {
  /** The streams of every addition of an endpoint; null for those of every endpoint. */
  readonly endpointId: string | null;
  readonly after: StreamName | null;
  readonly limit: number;
}

/** The states of deliveries, which survive the process that delivers. */
export interface DeliveryStreams {
  find(name: StreamName, call: Call): Promise<DeliveryStream | null>;

  page(page: StreamPage, call: Call): Promise<readonly DeliveryStream[]>;

  /** Adds at most 200 streams, apart from those that there are. */
  add(streams: readonly DeliveryStream[], call: Call): Promise<void>;

  /** Replaces a stream if its stored fence is one less than that of `next`. It is removed with its endpoint. */
  replace(next: DeliveryStream, call: Call): Promise<ReplaceOutcome>;

  /** Removes at most 200 streams. Names without a stream are ignored. */
  remove(names: readonly StreamName[], call: Call): Promise<void>;
}
