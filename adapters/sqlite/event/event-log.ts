import type { Statement } from 'better-sqlite3';
import type { LoggedEvent } from '../../../core/feed/logged-event.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertValuesInto, valuesOf } from '../engine/table.ts';
import { eventsTable, toEventRow } from './event-row.ts';

/** Appends events to the logs of products. A database has one log, because a log remembers the last positions. */
export class EventLog {
  readonly #last: Statement<[string], number>;
  readonly #insert: Statement;
  readonly #database: SqliteDatabase;
  /** The last position of each product in the turn of the database. */
  readonly #positions = new Map<string, number>();
  #turn = 0;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#last = connection.prepare<[string], number>(lastPositionSql).pluck();
    this.#insert = connection.prepare(insertValuesInto(eventsTable));
  }

  /**
   * Call it within the write that stores the change. One transaction writes at a time, so that positions are in the
   * order of commits: no read sees a position before the ones below it.
   */
  append(productId: string, events: readonly LoggedEvent[], now: Date): void {
    let position = this.#lastPosition(productId);
    for (const event of events) {
      position += 1;
      this.#insert.run(...valuesOf(eventsTable, toEventRow({ productId, position, storedAt: now, event })));
    }
    this.#positions.set(productId, position);
  }

  #lastPosition(productId: string): number {
    const { turn } = this.#database;
    if (turn !== this.#turn) this.#positions.clear();
    this.#turn = turn;
    return this.#positions.get(productId) ?? this.#last.get(productId) ?? 0;
  }
}

/** Keeps SQLite from planning the statement again for each value: the plus hides the value from its statistics. */
export const lastPositionSql = 'SELECT max(position) FROM events WHERE product_id = +?';
