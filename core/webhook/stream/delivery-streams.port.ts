import type { Call } from '../../call.ts';
import type { DeliveryStream, StreamName } from './delivery-stream.ts';

/** A part of the list of streams, whose order never changes. Those of one endpoint are by product in code-point order. */
export interface StreamPage {
  /** Null for the streams of every endpoint. */
  readonly endpointId: string | null;
  readonly after: StreamName | null;
  readonly limit: number;
}

/** The states of deliveries, which survive the process that delivers. */
export interface DeliveryStreams {
  find(name: StreamName, call: Call): Promise<DeliveryStream | null>;

  page(page: StreamPage, call: Call): Promise<readonly DeliveryStream[]>;

  /** Adds a stream, unless the endpoint has one of this product. */
  add(stream: DeliveryStream, call: Call): Promise<'added' | 'exists'>;

  /**
   * Replaces a stream if its stored fence is one less than that of `next`. `stale`: it was written since it was seen, or
   * removed with its endpoint.
   */
  change(next: DeliveryStream, call: Call): Promise<'changed' | 'stale'>;
}
