import type { NewCall } from '../../../core/call.ts';
import type { SqliteStore } from './sqlite-database.ts';

/** Rows read in one turn of the event loop: about 2 ms. */
export const pageSize = 200;

/** Reads rows in the order of a key that is a text, a page at a time: `page` gives those after a key, at most so many. */
export async function* inPages<Row>(
  { reads }: SqliteStore,
  newCall: NewCall,
  page: (after: string, size: number) => readonly Row[],
  keyOf: (row: Row) => string,
): AsyncIterable<Row> {
  let last = '';
  for (;;) {
    const after = last;
    const rows = await reads.read(newCall(), () => page(after, pageSize));
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = keyOf(end);
  }
}
