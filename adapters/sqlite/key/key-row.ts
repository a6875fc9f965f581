import { isScope, type AppKey } from '../../../core/key/app/app-key.ts';
import { isOperatorScope, type OperatorKey } from '../../../core/key/operator/operator-key.ts';
import type { StoredKey } from '../../../core/key/stored-key.ts';
import { dateOrNull, table, type Table } from '../engine/table.ts';

/** The columns of every kind of key. Instants are milliseconds since 1970; scopes are separated by spaces. */
export interface KeyRow {
  readonly digest: string;
  readonly id: string;
  readonly last_four: string;
  readonly scopes: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}

const keyColumns = {
  digest: true,
  id: true,
  last_four: true,
  scopes: true,
  created_at: true,
  expires_at: true,
  revoked_at: true,
  last_used_at: true,
} as const;

/** The table of a kind of key, and how a key is written in it. */
export interface KeyTable<Key, Row extends KeyRow> {
  readonly table: Table<Row>;
  readonly toRow: (key: Key) => Row;
  readonly fromRow: (row: Row) => Key;
}

function toKeyRow(key: StoredKey): KeyRow {
  return {
    digest: key.digest,
    id: key.id,
    last_four: key.lastFour,
    scopes: key.scopes.join(' '),
    created_at: key.createdAt.getTime(),
    expires_at: key.expiresAt?.getTime() ?? null,
    revoked_at: key.revokedAt?.getTime() ?? null,
    last_used_at: key.lastUsedAt?.getTime() ?? null,
  };
}

/** `isKnown` drops scopes that a newer release has stored. */
function fromKeyRow<Scope extends string>(row: KeyRow, isKnown: (text: string) => text is Scope): StoredKey<Scope> {
  return {
    id: row.id,
    digest: row.digest,
    lastFour: row.last_four,
    scopes: row.scopes.split(' ').filter(isKnown),
    createdAt: new Date(row.created_at),
    expiresAt: dateOrNull(row.expires_at),
    revokedAt: dateOrNull(row.revoked_at),
    lastUsedAt: dateOrNull(row.last_used_at),
  };
}

/** A row of `app_keys`. */
export interface AppKeyRow extends KeyRow {
  readonly product_id: string;
}

export const appKeyTable: KeyTable<AppKey, AppKeyRow> = {
  table: table<AppKeyRow>('app_keys', { ...keyColumns, product_id: true }),
  toRow: (key) => ({ ...toKeyRow(key), product_id: key.productId }),
  fromRow: (row) => ({ ...fromKeyRow(row, isScope), productId: row.product_id }),
};

/** A row of `operator_keys`. */
export interface OperatorKeyRow extends KeyRow {
  readonly name: string;
  /** Separated by spaces; null for a key that is not limited. */
  readonly products: string | null;
}

export const operatorKeyTable: KeyTable<OperatorKey, OperatorKeyRow> = {
  table: table<OperatorKeyRow>('operator_keys', { ...keyColumns, name: true, products: true }),
  toRow: (key) => ({ ...toKeyRow(key), name: key.name, products: key.products?.join(' ') ?? null }),
  fromRow: (row) => ({
    ...fromKeyRow(row, isOperatorScope),
    name: row.name,
    products: row.products?.split(' ') ?? null,
  }),
};
