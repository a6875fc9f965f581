import { fromStoredEffects, storedEffects, type DeliveryEffect } from '../../../core/webhook/stream/delivery-effect.ts';
import type { WaitingDelivery } from '../../../core/webhook/stream/set-aside.ts';
import { dateOrNull, table } from '../engine/table.ts';

/** A row of `waiting_deliveries`. `positions` and `effect` are JSON. */
export interface WaitingRow {
  readonly stream_id: string;
  readonly subject: string;
  /** Null for one that is parked. */
  readonly at: number | null;
  readonly attempt: number;
  /** The first of the positions. */
  readonly needed: number;
  readonly positions: string;
  readonly effect: string | null;
}

export const waitingTable = table<WaitingRow>('waiting_deliveries', {
  stream_id: true,
  subject: true,
  at: true,
  attempt: true,
  needed: true,
  positions: true,
  effect: true,
});

export function toWaitingRow(
  streamId: string,
  subject: string,
  { at, attempt, positions, effect }: WaitingDelivery,
): WaitingRow {
  return {
    stream_id: streamId,
    subject,
    at: at?.getTime() ?? null,
    attempt,
    needed: positions[0] ?? 0,
    positions: JSON.stringify(positions),
    effect: effect && storedText(effect),
  };
}

export function fromWaitingRow({
  subject,
  at,
  attempt,
  positions,
  effect,
}: WaitingRow): readonly [string, WaitingDelivery] {
  return [
    subject,
    { positions: JSON.parse(positions) as readonly number[], attempt, at: dateOrNull(at), effect: effectOf(effect) },
  ];
}

/** The instants as milliseconds. */
function storedText(effect: DeliveryEffect): string {
  const [[, at, keptAt, ...marks] = ['', null, effect.keptAt, null, []]] = storedEffects(new Map([['', effect]]));
  return JSON.stringify([at?.getTime() ?? null, keptAt.getTime(), ...marks]);
}

function effectOf(stored: string | null): DeliveryEffect | null {
  if (stored === null) return null;
  const facts = JSON.parse(stored) as [
    at: number | null,
    keptAt: number,
    mark: string | null,
    unseen: readonly string[],
  ];
  return fromStoredEffects([['', ...facts]]).get('') ?? null;
}
