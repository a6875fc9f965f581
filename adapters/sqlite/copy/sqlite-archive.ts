import Database from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { Archive, Entry, Section } from '../../../core/copy/archive.port.ts';
import { Refusal } from '../../../core/refusal.ts';
import { ListingChanges } from '../catalog/listing-changes.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { selectFrom } from '../engine/table.ts';
import { recordsTable, type RecordRow } from '../entitlement/record-row.ts';
import { historyReader } from '../entitlement/sqlite-entitlement-history.ts';
import { SqliteRetentionPromises } from '../entitlement/sqlite-idempotency.ts';
import { entryOf, insertionsOf, keyOf, sectionRows } from './archived-rows.ts';

/** Rows read in one turn of the event loop, and records or entries after which a page ends early: about 5 ms each. */
const pageSize = 200;
const maxRecords = 1000;

export class SqliteArchive implements Archive {
  readonly retentionPromises: SqliteRetentionPromises;
  readonly #database: SqliteDatabase;
  readonly #changes: ListingChanges;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.retentionPromises = new SqliteRetentionPromises(database);
    this.#changes = new ListingChanges(database);
  }

  /** Events get their position with the change. */
  async moveEvents(): Promise<boolean> {
    return true;
  }

  count(section: Section, call: Call): Promise<number> {
    const { name } = sectionRows[section].table;
    const count = this.#database.connection.prepare<[], number>(`SELECT count(*) FROM ${name}`).pluck();
    return this.#database.read(call, () => count.get() ?? 0);
  }

  page(section: Section, after: string, call: Call): Promise<readonly Entry[]> {
    const { table, key } = sectionRows[section];
    const { connection } = this.#database;
    const columns = key.join(', ');
    const rows = connection.prepare<unknown[], object>(
      `${selectFrom(table)} WHERE (${columns}) > (${placeholders(key)}) ORDER BY ${columns} LIMIT ?`,
    );
    const records = connection.prepare<[string], RecordRow>(
      `${selectFrom(recordsTable)} WHERE entitlement_id = ? ORDER BY key`,
    );
    const history = historyReader(connection);
    return this.#database.read(call, () => {
      const page: Entry[] = [];
      let read = 0;
      const counted = <Row>(found: readonly Row[]): readonly Row[] => {
        read += found.length;
        return found;
      };
      const parts = {
        recordsOf: (entitlementId: string) => counted(records.all(entitlementId)),
        historyOf: (entitlementId: string) => counted(history(entitlementId)),
      };
      for (const row of rows.all(...keyOf(section, after), pageSize)) {
        page.push(entryOf(section, row, parts));
        if (read >= maxRecords) break;
      }
      return page;
    });
  }

  /** Each entry is an atomic write of its own, so that a large batch does not hold the write lock. */
  async insert(entries: readonly Entry[], call: Call): Promise<boolean> {
    const outcomes = await Promise.all(entries.map((entry) => this.#insert(entry, call)));
    return !outcomes.includes(false);
  }

  async remove(section: Section, ids: readonly string[], call: Call): Promise<void> {
    const { table, key } = sectionRows[section];
    const { connection } = this.#database;
    const remove = connection.prepare(`DELETE FROM ${table.name} WHERE (${key.join(', ')}) = (${placeholders(key)})`);
    const removeRecords = connection.prepare('DELETE FROM idempotency_records WHERE entitlement_id = ?');
    const removeHistory = connection.prepare('DELETE FROM entitlement_history WHERE entitlement_id = ?');
    const removals = ids.map((id) =>
      this.#database.write(call, () => {
        if (section === 'entitlements') removeRecords.run(id);
        if (section === 'entitlements') removeHistory.run(id);
        if (section === 'listings') this.#changes.forget();
        remove.run(...keyOf(section, id));
      }),
    );
    await Promise.all(removals);
  }

  async #insert(entry: Entry, call: Call): Promise<boolean> {
    const { connection } = this.#database;
    const insert = (): void => {
      for (const { sql, rows } of insertionsOf(entry, () => this.#changes.next())) {
        const statement = connection.prepare(sql);
        for (const row of rows) statement.run(row);
      }
    };
    try {
      await this.#database.write(call, insert);
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
  }
}

function placeholders(columns: readonly string[]): string {
  return columns.map(() => '?').join(', ');
}

/** Returns whether a row was not stored because its key is taken. */
function isConflict(error: unknown): boolean {
  const cause = error instanceof Refusal ? error.details.cause : error;
  return cause instanceof Database.SqliteError && cause.code.startsWith('SQLITE_CONSTRAINT');
}
