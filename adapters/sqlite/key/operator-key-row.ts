import { isOperatorScope, type OperatorKey } from '../../../core/key/operator/operator-key.ts';
import { table } from '../engine/table.ts';
import { fromKeyRow, keyColumns, toKeyRow, type KeyRow, type KeyTable } from './key-row.ts';

/** A row of `operator_keys`. */
export interface OperatorKeyRow extends KeyRow {
  readonly name: string;
}

export const operatorKeyTable: KeyTable<OperatorKey, OperatorKeyRow> = {
  table: table<OperatorKeyRow>('operator_keys', { ...keyColumns, name: true }),
  toRow: (key) => ({ ...toKeyRow(key), name: key.name }),
  fromRow: (row) => ({ ...fromKeyRow(row, isOperatorScope), name: row.name }),
};
