import { entitlementColumns, type EntitlementRow } from './entitlement-row.ts';

export const insertSql = `
  INSERT INTO entitlements (${entitlementColumns.join(', ')})
  VALUES (${entitlementColumns.map((column) => `@${column}`).join(', ')})`;

export interface ReplaceParameters extends EntitlementRow {
  /** The revision that the writer has seen. */
  readonly seen: number;
}

const changeable = entitlementColumns.filter((column) => column !== 'id');

/** Compare-and-set: changes nothing where the revision has moved. */
export const replaceSql = `
  UPDATE entitlements
  SET ${changeable.map((column) => `${column} = @${column}`).join(', ')}
  WHERE id = @id AND revision = @seen`;
