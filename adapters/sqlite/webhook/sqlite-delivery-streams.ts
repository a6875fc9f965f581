import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import {
  fromStoredAnswer,
  storedAnswer,
  type DeliveryAttempt,
  type StoredAnswer,
} from '../../../core/webhook/stream/delivery-attempt.ts';
import {
  fromStoredEffects,
  storedEffects,
  type AnyStoredEffect,
  type DeliveryEffects,
  type StoredEffect,
} from '../../../core/webhook/stream/delivery-effect.ts';
import {
  firstNeeded,
  keyOf,
  type DeliveryStream,
  type StreamName,
} from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams, StreamPage } from '../../../core/webhook/stream/delivery-streams.port.ts';
import {
  noChanges,
  takenBack,
  type AsideChanges,
  type WaitingDelivery,
} from '../../../core/webhook/stream/set-aside.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { dateOrNull, insertInto, mapOrNull, selectFrom, table, updateOf } from '../engine/table.ts';
import { fromWaitingRow, toWaitingRow, waitingTable, type WaitingRow } from './waiting-row.ts';

/** A row of `delivery_streams`. `state` is JSON. */
export interface StreamRow {
  /** The key of the stream, by `keyOf`. */
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
  readonly attempts: readonly StoredAttempt[];
  /** Absent if there are none. */
  readonly effects?: readonly AnyStoredEffect<number>[];
  /** Absent from streams of release 0.2.0. */
  readonly aside?: readonly [waiting: number, parked: number, wakeAt: number | null];
}

/** An attempt. Its answer is a status, or the reason why there was none. */
type StoredAttempt = readonly [at: number, position: number, eventId: string, answer: StoredAnswer, durationMs: number];

export function toStreamRow(stream: DeliveryStream): StreamRow {
  const { endpointId, addition, productId, cursor, holder, fence, probe, failing } = stream;
  const state: StoredState = {
    pending: [...stream.pending].map(([id, one]) => [id, one.positions, one.attempt, one.at?.getTime() ?? null]),
    failing,
    failingSince: stream.failingSince?.getTime() ?? null,
    probe: probe && [probe.attempt, probe.at.getTime()],
    deliveredAt: stream.deliveredAt?.getTime() ?? null,
    attempts: stream.attempts.map(toStoredAttempt),
    aside: [stream.aside.waiting, stream.aside.parked, stream.aside.wakeAt?.getTime() ?? null],
    ...(stream.effects.size > 0 && { effects: toStoredEffects(stream.effects) }),
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
  const {
    pending,
    failing,
    failingSince,
    probe,
    deliveredAt,
    attempts,
    effects,
    aside = [0, 0, null],
  } = JSON.parse(row.state) as StoredState;
  return {
    endpointId: row.endpoint_id,
    addition: row.addition,
    productId: row.product_id,
    cursor: row.cursor,
    aside: { waiting: aside[0], parked: aside[1], wakeAt: dateOrNull(aside[2]) },
    pending: new Map(pending.map(([id, positions, attempt, at]) => [id, { positions, attempt, at: dateOrNull(at) }])),
    failing,
    failingSince: dateOrNull(failingSince),
    probe: probe && { attempt: probe[0], at: new Date(probe[1]) },
    deliveredAt: dateOrNull(deliveredAt),
    attempts: attempts.map(fromStoredAttempt),
    effects: fromStoredEffects(effects),
    holder: row.holder,
    fence: row.fence,
  };
}

function toStoredAttempt({ at, position, eventId, durationMs, ...answer }: DeliveryAttempt): StoredAttempt {
  return [at.getTime(), position, eventId, storedAnswer(answer), durationMs];
}

function fromStoredAttempt([at, position, eventId, answer, durationMs]: StoredAttempt): DeliveryAttempt {
  return { at: new Date(at), position, eventId, ...fromStoredAnswer(answer), durationMs };
}

function toStoredEffects(effects: DeliveryEffects): readonly StoredEffect<number>[] {
  return storedEffects(effects).map(([id, at, keptAt, ...marks]) => [
    id,
    at?.getTime() ?? null,
    keptAt.getTime(),
    ...marks,
  ]);
}

export class SqliteDeliveryStreams implements DeliveryStreams {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], StreamRow>;
  readonly #page: Statement<[string, string, number], StreamRow>;
  readonly #insert: Statement<[StreamRow]>;
  readonly #update: Statement<[StreamRow]>;
  readonly #delete: Statement<[string]>;
  readonly #row: Statement<[string, string], WaitingRow>;
  readonly #rows: Statement<[string], WaitingRow>;
  readonly #next: Statement<[string, number], WaitingRow>;
  readonly #put: Statement<[WaitingRow]>;
  readonly #removeRow: Statement<[string, string]>;
  readonly #removeRows: Statement<[string]>;
  readonly #removeParked: Statement<[string]>;
  readonly #retryRows: Statement<[number, string]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    const select = selectFrom(streamsTable);
    this.#database = database;
    this.#find = connection.prepare(`${select} WHERE id = ?`);
    this.#page = connection.prepare(`${select} WHERE id > ? AND id < ? ORDER BY id LIMIT ?`);
    this.#insert = connection.prepare(`${insertInto(streamsTable)} ON CONFLICT DO NOTHING`);
    this.#update = connection.prepare(`${updateOf(streamsTable)} WHERE id = @id AND fence = @fence - 1`);
    this.#delete = connection.prepare('DELETE FROM delivery_streams WHERE id = ?');
    const rows = `${selectFrom(waitingTable)} WHERE stream_id = ?`;
    const removeRows = 'DELETE FROM waiting_deliveries WHERE stream_id = ?';
    this.#row = connection.prepare(`${rows} AND subject = ?`);
    this.#rows = connection.prepare(rows);
    this.#next = connection.prepare(`${rows} AND at IS NOT NULL ORDER BY at LIMIT ?`);
    this.#put = connection.prepare(insertInto(waitingTable, 'INSERT OR REPLACE'));
    this.#removeRow = connection.prepare(`${removeRows} AND subject = ?`);
    this.#removeRows = connection.prepare(removeRows);
    this.#removeParked = connection.prepare(`${removeRows} AND at IS NULL`);
    this.#retryRows = connection.prepare('UPDATE waiting_deliveries SET attempt = 0, at = ? WHERE stream_id = ?');
  }

  find(name: StreamName, call: Call, aside: readonly string[] | 'all' = []): Promise<DeliveryStream | null> {
    const key = keyOf(name);
    return this.#database.read(call, () => {
      const stream = mapOrNull(this.#find.get(key), fromStreamRow);
      if (stream === null || aside.length === 0) return stream;
      const rows = aside === 'all' ? this.#rows.all(key) : aside.flatMap((id) => this.#row.get(key, id) ?? []);
      return takenBack(stream, new Map(rows.map(fromWaitingRow)));
    });
  }

  page({ endpointId, after, limit }: StreamPage, call: Call): Promise<readonly DeliveryStream[]> {
    // `0` comes after the slash, and no identifier has a character after the tilde.
    const [first, end] = endpointId === null ? ['', '\u{7f}'] : [`${endpointId}/`, `${endpointId}0`];
    const from = after === null ? first : keyOf(after);
    return this.#database.read(call, () => this.#page.all(from, end, limit).map(fromStreamRow));
  }

  add(streams: readonly DeliveryStream[], call: Call): Promise<void> {
    const rows = streams.map(toStreamRow);
    return this.#database.write(call, () => {
      for (const row of rows) this.#insert.run(row);
    });
  }

  replace(next: DeliveryStream, call: Call, changes = noChanges): Promise<ReplaceOutcome> {
    const row = toStreamRow(next);
    return this.#database.write(call, () => {
      if (this.#update.run(row).changes === 0) return { kind: 'stale' };
      this.#change(row.id, changes);
      return { kind: 'replaced' };
    });
  }

  next(name: StreamName, limit: number, call: Call): Promise<ReadonlyMap<string, WaitingDelivery>> {
    return this.#database.read(call, () => new Map(this.#next.all(keyOf(name), limit).map(fromWaitingRow)));
  }

  remove(names: readonly StreamName[], call: Call): Promise<void> {
    return this.#database.write(call, () => {
      for (const name of names) {
        this.#delete.run(keyOf(name));
        this.#removeRows.run(keyOf(name));
      }
    });
  }

  #change(key: string, { all, put, remove }: AsideChanges): void {
    if (all?.kind === 'retry') this.#retryRows.run(all.at.getTime(), key);
    else if (all !== null) this.#removeParked.run(key);
    for (const [id, row] of put) this.#put.run(toWaitingRow(key, id, row));
    for (const id of remove) this.#removeRow.run(key, id);
  }
}
