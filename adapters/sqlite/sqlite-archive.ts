import Database from 'better-sqlite3';
import type { Call } from '../../core/call.ts';
import type { Archive, Entry, Section } from '../../core/copy/archive.port.ts';
import { fromArchivedRows, insertions, tables } from './archived-rows.ts';
import type { RecordRow } from './record-row.ts';
import type { SqliteStore } from './sqlite-store.ts';

/** Rows read in one turn of the event loop. */
const pageSize = 200;

export class SqliteArchive implements Archive {
  readonly #store: SqliteStore;

  constructor(store: SqliteStore) {
    this.#store = store;
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
    return this.#store.reads.read(call, () =>
      rows.all(after, pageSize).map((row) => fromArchivedRows(section, row, (of) => records.all(of))),
    );
  }

  insert(_section: Section, entries: readonly Entry[], call: Call): Promise<boolean> {
    return this.#store.writes.write(call, () => {
      try {
        for (const entry of entries) {
          for (const { sql, row } of insertions(entry)) this.#store.connection.prepare(sql).run(row);
        }
        return true;
      } catch (error) {
        if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')) return false;
        throw error;
      }
    });
  }

  async remove(section: Section, ids: readonly string[], call: Call): Promise<void> {
    const { name, id } = tables[section];
    await this.#store.writes.write(call, () => {
      const remove = this.#store.connection.prepare(`DELETE FROM ${name} WHERE ${id} = ?`);
      const removeRecords = this.#store.connection.prepare('DELETE FROM idempotency_records WHERE entitlement_id = ?');
      for (const one of ids) {
        if (section === 'entitlements') removeRecords.run(one);
        remove.run(one);
      }
    });
  }
}
