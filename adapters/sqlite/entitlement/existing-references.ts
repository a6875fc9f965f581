import type { ExistingValues } from '../engine/existing-values.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';

/** References looked up in one turn of the event loop: about 2 ms. */
const maxBatch = 1000;

/** Prepares the look-up of references, each with its product as `referenceKey` writes them. */
export function existingReferences(database: SqliteDatabase): ExistingValues {
  const find = database.connection
    .prepare<[string], string>(
      `SELECT value FROM json_each(?) WHERE EXISTS (
        SELECT 1 FROM entitlements
        WHERE product_id = substr(value, 1, instr(value, '/') - 1) AND reference = substr(value, instr(value, '/') + 1))`,
    )
    .pluck();
  return async (references, call) => {
    const existing = new Set<string>();
    for (let start = 0; start < references.length; start += maxBatch) {
      const batch = JSON.stringify(references.slice(start, start + maxBatch));
      for (const reference of await database.read(call, () => find.all(batch))) existing.add(reference);
    }
    return existing;
  };
}
