/** The statements that write an entitlement, with the entry of its history. */
import { insertInto } from '../engine/table.ts';
import { entitlementsTable, type EntitlementRow } from './entitlement-row.ts';

/** A new row, and the lines of its history. */
export interface InsertParameters extends EntitlementRow {
  readonly recent_history: string;
}

/** Adds an entitlement. */
export const insertSql = insertInto({
  name: entitlementsTable.name,
  columns: [...entitlementsTable.columns, 'recent_history'],
});

/** Adds an entitlement, unless another has its id, its license key or its reference. */
export const insertFreeSql = `${insertSql} ON CONFLICT DO NOTHING`;

/** The row after the change, the revision that the writer has read, and the line of the entry, empty for no entry. */
export interface ReplaceParameters extends EntitlementRow {
  readonly seen: number;
  readonly line: string;
}

/**
 * An UPDATE rewrites the indexes of every column that it names, even if the value stays the same: two random pages more
 * for each commit. So these columns are named only where they can change.
 */
const indexedColumns: readonly (keyof EntitlementRow)[] = [
  'id',
  'product_id',
  'reference',
  'license_digest',
  'next_event_at',
];
const otherColumns = entitlementsTable.columns.filter((column) => !indexedColumns.includes(column));

/** Replaces a row if it still has the revision `seen`. Keeps every indexed column. */
export const replaceSql = replaceColumns(otherColumns);

/** The same, with the next change by the clock. */
export const replaceClockSql = replaceColumns([...otherColumns, 'next_event_at']);

/** The same, with the next change by the clock and the digest of the license. */
export const replaceLicenseSql = replaceColumns([...otherColumns, 'next_event_at', 'license_digest']);

function replaceColumns(columns: readonly (keyof EntitlementRow)[]): string {
  const assignments = columns.map((column) => `${column} = @${column}`);
  assignments.push('recent_history = recent_history || @line');
  return `UPDATE entitlements SET ${assignments.join(', ')} WHERE id = @id AND revision = @seen`;
}
