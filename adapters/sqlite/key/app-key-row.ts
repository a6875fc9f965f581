import { isScope, type AppKey } from '../../../core/key/app/app-key.ts';
import { table } from '../engine/table.ts';
import { fromKeyRow, keyColumns, toKeyRow, type KeyRow, type KeyTable } from './key-row.ts';

/** A row of `app_keys`. */
export interface AppKeyRow extends KeyRow {
  readonly product_id: string;
}

export const appKeyTable: KeyTable<AppKey, AppKeyRow> = {
  table: table<AppKeyRow>('app_keys', { ...keyColumns, product_id: true }),
  toRow: (key) => ({ ...toKeyRow(key), product_id: key.productId }),
  fromRow: (row) => ({ ...fromKeyRow(row, isScope), productId: row.product_id }),
};
