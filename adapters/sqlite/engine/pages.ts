import type { NewCall } from '../../../core/call.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

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
