import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { EventPage, Events } from '../../../core/event/events.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { selectFrom } from '../engine/table.ts';
import { eventsTable, fromBody, type EventRow } from './event-row.ts';
import { lastPositionSql } from './event-log.ts';

export class SqliteEvents implements Events {
  readonly #database: SqliteDatabase;
  readonly #page: Statement<[string, number, number], EventRow>;
  readonly #first: Statement<[string], number>;
  readonly #last: Statement<[string], number>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#page = connection.prepare(
      `${selectFrom(eventsTable)} WHERE product_id = +? AND position > ? ORDER BY position LIMIT ?`,
    );
    this.#first = connection
      .prepare<[string], number>('SELECT min(position) FROM events WHERE product_id = +?')
      .pluck();
    this.#last = connection.prepare<[string], number>(lastPositionSql).pluck();
  }

  page(productId: string, after: number, limit: number, call: Call): Promise<EventPage> {
    return this.#database.read(call, () => ({
      events: this.#page
        .all(productId, after, limit)
        .map(({ position, body }) => ({ position, event: fromBody(productId, body) })),
      first: this.#first.get(productId) ?? 0,
      last: this.#last.get(productId) ?? 0,
    }));
  }
}
