import type { Database as Connection, Statement } from 'better-sqlite3';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { entitlementsTable, type EntitlementRow } from './entitlement-row.ts';

type Column = keyof EntitlementRow;

/**
 * Writes what a change moves in the row of an entitlement, and nothing else. An UPDATE rewrites the indexes of every
 * column that it names, even if the value stays the same, and each value that is bound costs time.
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
