import {
  firstNeeded,
  keyOf,
  type DeliveryStream,
  type PendingEvents,
} from '../../../core/webhook/stream/delivery-stream.ts';

/**
 * A document of `delivery_streams`. `pending` is an array, because an entitlement's id can be no name of a member: it may
 * have full stops in it. `needed` is the first position of the log that has not been delivered.
 */
export type StreamDocument = { readonly _id: string; readonly needed: number } & Omit<DeliveryStream, 'pending'> & {
    readonly pending: readonly ({ readonly of: string } & PendingEvents)[];
  };

export function toStreamDocument({ pending, ...facts }: DeliveryStream): StreamDocument {
  return {
    _id: keyOf(facts),
    needed: firstNeeded({ pending, cursor: facts.cursor }),
    ...facts,
    pending: [...pending].map(([of, events]) => ({ of, ...events })),
  };
}

export function fromStreamDocument(document: StreamDocument): DeliveryStream {
  const { _id: _, needed: __, pending, ...facts } = document;
  return { ...facts, pending: new Map(pending.map(({ of, ...events }) => [of, events])) };
}

/** The range of the ids of an endpoint's streams: `0` is the character after the slash. */
export function idsOf(endpointId: string): { readonly $gt: string; readonly $lt: string } {
  return { $gt: `${endpointId}/`, $lt: `${endpointId}0` };
}
