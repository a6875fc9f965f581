import { entitlementColumns, type EntitlementRow } from './entitlement-row.ts';

export const insertSql = `
  INSERT INTO entitlements (${entitlementColumns.join(', ')})
  VALUES (${entitlementColumns.map((column) => `@${column}`).join(', ')})`;

export interface ReplaceParameters extends EntitlementRow {
  /** The revision that the writer has seen. */
  readonly seen: number;
}

/**
 * Named columns have their indexes rewritten even where the value stays the same: two random pages more in each commit.
 * So a write names an indexed column only where it may change.
 */
const indexed: readonly string[] = ['id', 'product_id', 'license_digest'];
const unindexed = entitlementColumns.filter((column) => !indexed.includes(column));

/** Compare-and-set: changes nothing where the revision has moved. The product and the license's digest stay what they are. */
export const replaceSql = replaceOf(unindexed);

/** The same, with the license's digest. */
export const replaceLicenseSql = replaceOf([...unindexed, 'license_digest']);

function replaceOf(columns: readonly string[]): string {
  return `
    UPDATE entitlements
    SET ${columns.map((column) => `${column} = @${column}`).join(', ')}
    WHERE id = @id AND revision = @seen`;
}
