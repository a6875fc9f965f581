import Database from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { Archive, Entry, Section } from '../../../core/copy/archive.port.ts';
import { Refusal } from '../../../core/refusal.ts';
import { fromArchivedRows, insertions, tables } from './archived-rows.ts';
import { ListingChanges } from '../catalog/listing-changes.ts';
import type { RecordRow } from '../entitlement/record-row.ts';
import type { SqliteStore } from '../engine/sqlite-database.ts';

/** Rows read in one turn of the event loop, and records after which it reads no more of them: about 5 ms each. */
const pageSize = 200;
const recordsOfPage = 1000;

export class SqliteArchive implements Archive {
  readonly #store: SqliteStore;
  readonly #changes: ListingChanges;

  constructor(store: SqliteStore) {
    this.#store = store;
    this.#changes = new ListingChanges(store);
  }

  count(section: Section, call: Call): Promise<number> {
    const count = this.#store.connection.prepare<[], number>(`SELECT count(*) FROM ${tables[section].name}`).pluck();
    return this.#store.reads.read(call, () => count.get() ?? 0);
  }

  page(section: Section, after: string, call: Call): Promise<readonly Entry[]> {
    const { name, id } = tables[section];
    const rows = this.#store.connection.prepare<[string, number], object>(
      `SELECT * FROM ${name} WHERE ${id} > ? ORDER BY ${id} LIMIT ?`,
    );
    const records = this.#store.connection.prepare<[string], RecordRow>(
      'SELECT * FROM idempotency_records WHERE entitlement_id = ? ORDER BY key',
    );
    return this.#store.reads.read(call, () => {
      const page: Entry[] = [];
      let recordsRead = 0;
      const recordsOf = (of: string): readonly RecordRow[] => {
        const found = records.all(of);
        recordsRead += found.length;
        return found;
      };
      for (const row of rows.all(after, pageSize)) {
        page.push(fromArchivedRows(section, row, recordsOf));
        if (recordsRead >= recordsOfPage) break;
      }
      return page;
    });
  }

  /** Each entry is atomic by itself, so that a commit takes no more of them than others can wait for. */
  async insert(entries: readonly Entry[], call: Call): Promise<boolean> {
    const outcomes = await Promise.all(entries.map((entry) => this.#insert(entry, call)));
    return !outcomes.includes(false);
  }

  async remove(section: Section, ids: readonly string[], call: Call): Promise<void> {
    const { name, id } = tables[section];
    const { connection, writes } = this.#store;
    const remove = connection.prepare(`DELETE FROM ${name} WHERE ${id} = ?`);
    const removeRecords = connection.prepare('DELETE FROM idempotency_records WHERE entitlement_id = ?');
    const removals = ids.map((one) =>
      writes.write(call, () => {
        if (section === 'entitlements') removeRecords.run(one);
        if (section === 'listings') this.#changes.forget();
        remove.run(one);
      }),
    );
    await Promise.all(removals);
  }

  async #insert(entry: Entry, call: Call): Promise<boolean> {
    const { connection, writes } = this.#store;
    const insert = (): void => {
      for (const { sql, rows } of insertions(entry, () => this.#changes.next())) {
        const statement = connection.prepare(sql);
        for (const row of rows) statement.run(row);
      }
    };
    try {
      await writes.write(call, insert);
      return true;
    } catch (error) {
      if (isTaken(error)) return false;
      throw error;
    }
  }
}

function isTaken(error: unknown): boolean {
  const cause = error instanceof Refusal ? error.details.cause : error;
  return cause instanceof Database.SqliteError && cause.code.startsWith('SQLITE_CONSTRAINT');
}
