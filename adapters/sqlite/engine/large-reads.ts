import type { Call, NewCall } from '../../../core/call.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import type { Table } from './table.ts';

/** Values looked up in one turn of the event loop: about 2 ms. */
const maxBatch = 1000;

/** Resolves to those of the values that are in the store. */
export type ExistingValues = (values: readonly string[], call: Call) => Promise<ReadonlySet<string>>;

/** Prepares the look-up for a column that has an index. */
export function existingValues<Row>(
  database: SqliteDatabase,
  { name }: Table<Row>,
  column: keyof Row & string,
): ExistingValues {
  return existingWhere(database, `SELECT 1 FROM ${name} WHERE ${column} = value`);
}

/** Prepares the look-up of the values for which a query of `value` has a row. Each batch of values is one statement. */
export function existingWhere(database: SqliteDatabase, query: string): ExistingValues {
  const find = database.connection
    .prepare<[string], string>(`SELECT value FROM json_each(?) WHERE EXISTS (${query})`)
    .pluck();
  return async (values, call) => {
    const existing = new Set<string>();
    for (let start = 0; start < values.length; start += maxBatch) {
      const batch = JSON.stringify(values.slice(start, start + maxBatch));
      for (const value of await database.read(call, () => find.all(batch))) existing.add(value);
    }
    return existing;
  };
}

/** Rows read in one turn of the event loop: about 2 ms. */
export const pageSize = 200;

/**
 * Reads all rows in the order of a text key and yields them page by page, because to wait for each row takes longer than
 * to read it. `readPage` returns at most `size` rows after a key.
 */
export async function* inPages<Row>(
  database: SqliteDatabase,
  newCall: NewCall,
  readPage: (after: string, size: number) => readonly Row[],
  keyOf: (row: Row) => string,
): AsyncIterable<readonly Row[]> {
  let lastKey = '';
  for (;;) {
    const after = lastKey;
    const rows = await database.read(newCall(), () => readPage(after, pageSize));
    const lastRow = rows.at(-1);
    if (lastRow === undefined) return;
    yield rows;
    lastKey = keyOf(lastRow);
  }
}
