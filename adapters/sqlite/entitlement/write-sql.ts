/** The statements that add an entitlement, with the entry of its history. */
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
