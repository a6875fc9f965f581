import type { SqliteDatabase } from './sqlite-database.ts';

/** Rows that are remembered at most: some 500 kB. */
const maxRows = 1000;

/**
 * Remembers what was made of rows until anything in the file changes. It asks the file at each look-up, so that what it
 * returns is never older than what a statement would find.
 */
export class RememberedRows<T> {
  readonly #database: SqliteDatabase;
  readonly #rows = new Map<string, T>();
  #revision = '';

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Returns the row of a key, or the one that `find` finds. Call it within a read. A row that is missing is not remembered. */
  get(key: string, find: () => T | null): T | null {
    const revision = this.#database.revision();
    if (revision !== this.#revision || this.#rows.size >= maxRows) this.#rows.clear();
    this.#revision = revision;
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const found = find();
    if (found !== null) this.#rows.set(key, found);
    return found;
  }
}
