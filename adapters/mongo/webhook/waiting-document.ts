import type { WaitingDelivery } from '../../../core/webhook/stream/set-aside.ts';

/** A document of `waiting_deliveries`: what is set aside of a stream. */
export interface WaitingDocument extends WaitingDelivery {
  readonly _id: string;
  /** The key of the stream. */
  readonly stream: string;
  readonly of: string;
  /** The first of the positions. */
  readonly needed: number;
}

/** Neither the key of a stream nor the subject of a delivery has a space. */
export function waitingId(stream: string, subject: string): string {
  return `${stream} ${subject}`;
}

export function toWaitingDocument(stream: string, of: string, row: WaitingDelivery): WaitingDocument {
  return { _id: waitingId(stream, of), stream, of, needed: row.positions[0] ?? 0, ...row };
}

export function fromWaitingDocument({
  of,
  positions,
  attempt,
  at,
  effect,
}: WaitingDocument): readonly [string, WaitingDelivery] {
  return [of, { positions, attempt, at, effect }];
}
