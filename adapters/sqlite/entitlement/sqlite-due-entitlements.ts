import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { ClockChange, DueEntitlements } from '../../../core/entitlement/event/due-entitlements.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { selectFrom } from '../engine/table.ts';
import type { EventLog } from '../event/event-log.ts';
import { entitlementsTable, fromEntitlementRow, type EntitlementRow } from './entitlement-row.ts';

export class SqliteDueEntitlements implements DueEntitlements {
  readonly #database: SqliteDatabase;
  readonly #log: EventLog;
  readonly #due: Statement<[number, number], EntitlementRow>;
  readonly #ending: Statement<[number, number], EntitlementRow>;
  readonly #replace: Statement<[number, number, number | null, number | null, string, number]>;

  constructor(database: SqliteDatabase, log: EventLog) {
    const { connection } = database;
    this.#database = database;
    this.#log = log;
    this.#due = connection.prepare(
      `${selectFrom(entitlementsTable)} WHERE next_event_at <= ? ORDER BY next_event_at LIMIT ?`,
    );
    this.#ending = connection.prepare(
      `${selectFrom(entitlementsTable)} WHERE untold_end <= ? AND hold = 'none' ORDER BY untold_end LIMIT ?`,
    );
    this.#replace = connection.prepare(
      'UPDATE entitlements SET revision = ?, sequence = ?, next_event_at = ?, untold_end = ? WHERE id = ? AND revision = ?',
    );
  }

  due(until: Date, limit: number, call: Call): Promise<readonly Entitlement[]> {
    return this.#database.read(call, () => this.#due.all(until.getTime(), limit).map(fromEntitlementRow));
  }

  ending(until: Date, limit: number, call: Call): Promise<readonly Entitlement[]> {
    return this.#database.read(call, () => this.#ending.all(until.getTime(), limit).map(fromEntitlementRow));
  }

  replace(changes: readonly ClockChange[], call: Call): Promise<number> {
    return this.#database.write(call, () => changes.filter((change) => this.#replaceOne(change, call)).length);
  }

  #replaceOne({ seen, next, events }: ClockChange, { now }: Call): boolean {
    const nextEventAt = next.nextEventAt?.getTime() ?? null;
    const unannouncedEnd = next.unannouncedEnd?.getTime() ?? null;
    const progress = [next.revision, next.sequence, nextEventAt, unannouncedEnd] as const;
    const { changes } = this.#replace.run(...progress, seen.id, seen.revision);
    if (changes > 0) this.#log.append(seen.productId, events, now);
    return changes > 0;
  }
}
