import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/until-stored.ts';
import { keyOf, type DeliveryStream, type StreamName } from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams, StreamPage } from '../../../core/webhook/stream/delivery-streams.port.ts';
import { mapOrNull } from '../engine/nullable.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, selectFrom, updateOf } from '../engine/table.ts';
import { fromStreamRow, streamsTable, toStreamRow, type StreamRow } from './stream-row.ts';

export class SqliteDeliveryStreams implements DeliveryStreams {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], StreamRow>;
  readonly #page: Statement<[string, string, number], StreamRow>;
  readonly #insert: Statement<[StreamRow]>;
  readonly #update: Statement<[StreamRow]>;
  readonly #delete: Statement<[string]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    const select = selectFrom(streamsTable);
    this.#database = database;
    this.#find = connection.prepare(`${select} WHERE id = ?`);
    this.#page = connection.prepare(`${select} WHERE id > ? AND id < ? ORDER BY id LIMIT ?`);
    this.#insert = connection.prepare(`${insertInto(streamsTable)} ON CONFLICT DO NOTHING`);
    this.#update = connection.prepare(`${updateOf(streamsTable)} WHERE id = @id AND fence = @fence - 1`);
    this.#delete = connection.prepare('DELETE FROM delivery_streams WHERE id = ?');
  }

  find(name: StreamName, call: Call): Promise<DeliveryStream | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(keyOf(name)), fromStreamRow));
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

  replace(next: DeliveryStream, call: Call): Promise<ReplaceOutcome> {
    const row = toStreamRow(next);
    return this.#database.write(call, () => ({ kind: this.#update.run(row).changes === 0 ? 'stale' : 'replaced' }));
  }

  remove(names: readonly StreamName[], call: Call): Promise<void> {
    return this.#database.write(call, () => {
      for (const name of names) this.#delete.run(keyOf(name));
    });
  }
}
