import type { Database as Connection, Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { ChangeRecord } from '../../../core/entitlement/event/change-record.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import { expiredAt, roomAt } from '../../../core/entitlement/idempotency/retention.ts';
import type { SharedRetention } from '../../../core/entitlement/idempotency/shared-retention.ts';
import type { Licenses } from '../../../core/entitlement/license/licenses.port.ts';
import type { Entitlements, NoRecord } from '../../../core/entitlement/merchant/entitlements.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertValuesInto, mapOrNull, selectFrom, valuesOf } from '../engine/table.ts';
import type { EventLog } from '../event/event-log.ts';
import { entitlementsTable, fromEntitlementRow, toEntitlementRow, type EntitlementRow } from './entitlement-row.ts';
import { recordsTable, toRecordRow } from './record-row.ts';
import { HistoryChunks, toLine } from './sqlite-entitlement-history.ts';

type Column = keyof EntitlementRow;

/**
 * Writes only the columns in which a change differs from the row of its entitlement. An UPDATE rewrites the indexes of
 * every column that it names, even if the value stays the same, and each value that is bound costs time.
 */
export class EntitlementUpdates {
  readonly #connection: Connection;
  /** The statement of each set of columns that has changed together. There are a few dozen. */
  readonly #statements = new Map<string, Statement>();

  constructor({ connection }: SqliteDatabase) {
    this.#connection = connection;
  }

  /**
   * Replaces a row and appends a line to its recent history. Returns false and changes nothing if the row has another
   * revision than `seen`.
   */
  replace(seen: EntitlementRow, next: EntitlementRow, line: string): boolean {
    const changed = entitlementsTable.columns.filter((column) => seen[column] !== next[column]);
    const values = changed.map((column) => next[column]);
    return this.#statementFor(changed).run(...values, line, seen.id, seen.revision).changes > 0;
  }

  #statementFor(columns: readonly Column[]): Statement {
    const name = columns.join();
    const known = this.#statements.get(name);
    if (known !== undefined) return known;
    const assignments = [...columns.map((column) => `${column} = ?`), 'recent_history = recent_history || ?'];
    const statement = this.#connection.prepare(
      `UPDATE entitlements SET ${assignments.join(', ')} WHERE id = ? AND revision = ?`,
    );
    this.#statements.set(name, statement);
    return statement;
  }
}

interface RecordCount {
  readonly count: number;
  /** In milliseconds since 1970; null without records. */
  readonly oldest: number | null;
}

const noRecords: RecordCount = { count: 0, oldest: null };

export class SqliteEntitlements implements Entitlements {
  readonly #database: SqliteDatabase;
  readonly #retention: SharedRetention;
  readonly #find: Statement<[string, string], EntitlementRow>;
  readonly #liveRecord: Statement<[string, string, number], number>;
  readonly #recordsOf: Statement<[string], RecordCount>;
  readonly #revision: Statement<[string], number>;
  readonly #updates: EntitlementUpdates;
  readonly #removeExpired: Statement<[string, number]>;
  readonly #insertRecord: Statement;
  readonly #history: HistoryChunks;
  readonly #log: EventLog;

  constructor(database: SqliteDatabase, retention: SharedRetention, log: EventLog) {
    const { connection } = database;
    this.#database = database;
    this.#retention = retention;
    this.#find = connection.prepare(`${selectFrom(entitlementsTable)} WHERE id = ? AND product_id = ?`);
    this.#liveRecord = connection
      .prepare<[string, string, number], number>(
        'SELECT 1 FROM idempotency_records WHERE product_id = ? AND key = ? AND at > ?',
      )
      .pluck();
    this.#recordsOf = connection.prepare(
      'SELECT count(*) AS count, min(at) AS oldest FROM idempotency_records WHERE entitlement_id = ?',
    );
    this.#revision = connection.prepare<[string], number>('SELECT revision FROM entitlements WHERE id = ?').pluck();
    this.#updates = new EntitlementUpdates(database);
    this.#removeExpired = connection.prepare('DELETE FROM idempotency_records WHERE entitlement_id = ? AND at <= ?');
    this.#insertRecord = connection.prepare(insertValuesInto(recordsTable, 'INSERT OR REPLACE'));
    this.#history = new HistoryChunks(database);
    this.#log = log;
  }

  find(id: string, productId: string, call: Call): Promise<Entitlement | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(id, productId), fromEntitlementRow));
  }

  async replace(
    seen: Entitlement,
    next: Entitlement,
    record: IdempotencyRecord,
    changeRecord: ChangeRecord | null,
    call: Call,
  ): Promise<ReplaceOutcome<NoRecord>> {
    const retention = await this.#retention.current(call);
    const expired = expiredAt(retention, call.now).getTime();
    const line = changeRecord === null ? '' : toLine(changeRecord.entry);
    const [row, nextRow] = [toEntitlementRow(seen), toEntitlementRow(next)];
    const recordValues = valuesOf(recordsTable, toRecordRow(record));
    return this.#database.write(call, () => {
      if (this.#liveRecord.get(record.productId, record.key, expired) !== undefined) return { kind: 'key taken' };
      const live = this.#liveRecords(seen.id, expired);
      const full = live.count >= retention.recordsPerEntitlement;
      if (full && this.#revision.get(seen.id) !== seen.revision) return { kind: 'stale' };
      if (full) return { kind: 'full', roomAt: roomAt(retention, [new Date(live.oldest ?? 0)]) };
      if (!this.#updates.replace(row, nextRow, line)) return { kind: 'stale' };
      this.#insertRecord.run(...recordValues);
      if (changeRecord !== null) {
        this.#history.moveFull(seen.id, changeRecord.entry);
        this.#log.append(seen.productId, changeRecord.events, call.now);
      }
      return { kind: 'replaced' };
    });
  }

  /** Counts the records of an entitlement, after it has removed those that have expired. */
  #liveRecords(entitlementId: string, expired: number): RecordCount {
    const records = this.#recordsOf.get(entitlementId) ?? noRecords;
    if (records.oldest === null || records.oldest > expired) return records;
    this.#removeExpired.run(entitlementId, expired);
    return this.#recordsOf.get(entitlementId) ?? noRecords;
  }
}

export class SqliteLicenses implements Licenses {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], EntitlementRow>;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#find = database.connection.prepare(`${selectFrom(entitlementsTable)} WHERE license_digest = ?`);
  }

  find(digest: string, call: Call): Promise<Entitlement | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(digest), fromEntitlementRow));
  }
}
