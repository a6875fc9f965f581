import { existingWhere, type ExistingValues } from '../engine/existing-values.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';

/** Prepares the look-up of references, each with its product as `referenceKey` writes them. */
export function existingReferences(database: SqliteDatabase): ExistingValues {
  return existingWhere(
    database,
    `SELECT 1 FROM entitlements
    WHERE product_id = substr(value, 1, instr(value, '/') - 1) AND reference = substr(value, instr(value, '/') + 1)`,
  );
}
