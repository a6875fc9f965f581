import type { DeliveryStream, PendingEvents } from '../webhook/stream/delivery-stream.ts';

/** A stream whose pending events are a list, so that two of them can be compared member by member. */
export type ArchivedStream = Omit<DeliveryStream, 'pending'> & {
  readonly pending: readonly (readonly [entitlementId: string, events: PendingEvents])[];
};

export function toArchivedStream(stream: DeliveryStream): ArchivedStream {
  return { ...stream, pending: [...stream.pending] };
}

export function fromArchivedStream(archived: ArchivedStream): DeliveryStream {
  return { ...archived, pending: new Map(archived.pending) };
}
