import { firstNeeded, keyOf, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import { dateOrNull } from '../engine/nullable.ts';
import { table } from '../engine/table.ts';

/** A row of `delivery_streams`. `state` is JSON. */
export interface StreamRow {
  /** What `keyOf` writes. */
  readonly id: string;
  readonly endpoint_id: string;
  readonly addition: string;
  readonly product_id: string;
  readonly cursor: number;
  readonly needed: number;
  readonly holder: string | null;
  readonly fence: number;
  readonly state: string;
}

export const streamsTable = table<StreamRow>('delivery_streams', {
  id: true,
  endpoint_id: true,
  addition: true,
  product_id: true,
  cursor: true,
  needed: true,
  holder: true,
  fence: true,
  state: true,
});

/** The other facts, with instants as milliseconds since 1970. */
interface StoredState {
  readonly pending: readonly (readonly [
    entitlementId: string,
    positions: readonly number[],
    attempt: number,
    at: number | null,
  ])[];
  readonly failing: readonly string[];
  readonly failingSince: number | null;
  readonly probe: readonly [attempt: number, at: number] | null;
  readonly deliveredAt: number | null;
}

export function toStreamRow(stream: DeliveryStream): StreamRow {
  const { endpointId, addition, productId, cursor, holder, fence, probe, failing } = stream;
  const state: StoredState = {
    pending: [...stream.pending].map(([id, one]) => [id, one.positions, one.attempt, one.at?.getTime() ?? null]),
    failing,
    failingSince: stream.failingSince?.getTime() ?? null,
    probe: probe && [probe.attempt, probe.at.getTime()],
    deliveredAt: stream.deliveredAt?.getTime() ?? null,
  };
  return {
    id: keyOf(stream),
    endpoint_id: endpointId,
    addition,
    product_id: productId,
    cursor,
    needed: firstNeeded(stream),
    holder,
    fence,
    state: JSON.stringify(state),
  };
}

export function fromStreamRow(row: StreamRow): DeliveryStream {
  const { pending, failing, failingSince, probe, deliveredAt } = JSON.parse(row.state) as StoredState;
  return {
    endpointId: row.endpoint_id,
    addition: row.addition,
    productId: row.product_id,
    cursor: row.cursor,
    pending: new Map(pending.map(([id, positions, attempt, at]) => [id, { positions, attempt, at: dateOrNull(at) }])),
    failing,
    failingSince: dateOrNull(failingSince),
    probe: probe && { attempt: probe[0], at: new Date(probe[1]) },
    deliveredAt: dateOrNull(deliveredAt),
    holder: row.holder,
    fence: row.fence,
  };
}
