import type { Statement } from 'better-sqlite3';
import type { EntitlementEvent } from '../../../core/event/entitlement-event.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto } from '../engine/table.ts';
import { eventsTable, toBody, type EventRow } from './event-row.ts';

/** Appends events to the logs of products. */
export class EventLog {
  readonly #last: Statement<[string], number>;
  readonly #insert: Statement<[EventRow]>;

  constructor({ connection }: SqliteDatabase) {
    this.#last = connection.prepare<[string], number>(lastPositionSql).pluck();
    this.#insert = connection.prepare(insertInto(eventsTable));
  }

  /**
   * Call it within the write that stores the change. One transaction writes at a time, so that positions are in the
   * order of commits: no read sees a position before the ones below it.
   */
  append(productId: string, events: readonly EntitlementEvent[], now: Date): void {
    let position = this.#last.get(productId) ?? 0;
    for (const event of events) {
      position += 1;
      this.#insert.run({ product_id: productId, position, told_at: now.getTime(), body: toBody(event) });
    }
  }
}

/** Keeps SQLite from planning the statement again for each value: the plus hides the value from its statistics. */
export const lastPositionSql = 'SELECT max(position) FROM events WHERE product_id = +?';
