import type { Call } from '../../../core/call.ts';
import type { SqliteStore } from './sqlite-database.ts';

/** Values looked up in one turn of the event loop: about 2 ms. */
const sliceSize = 1000;

/** Says which values a column has. */
export type PresentValues = (values: readonly string[], call: Call) => Promise<ReadonlySet<string>>;

/** Asks for the values of a column that has an index; each slice of them is one statement. */
export function presentValues({ connection, reads }: SqliteStore, table: string, column: string): PresentValues {
  const present = connection
    .prepare<[string], string>(
      `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM ${table} WHERE ${column} = value)`,
    )
    .pluck();
  return async (values, call) => {
    const found = new Set<string>();
    for (let start = 0; start < values.length; start += sliceSize) {
      const slice = JSON.stringify(values.slice(start, start + sliceSize));
      for (const value of await reads.read(call, () => present.all(slice))) found.add(value);
    }
    return found;
  };
}
