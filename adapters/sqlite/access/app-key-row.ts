import type { AppKey } from '../../../core/access/app-key.ts';
import { isScope } from '../../../core/access/scope.ts';
import { dateOrNull } from '../engine/nullable.ts';
import { table } from '../engine/table.ts';

/** A row of `app_keys`. Instants are milliseconds since 1970; scopes are separated by spaces. */
export interface AppKeyRow {
  readonly digest: string;
  readonly id: string;
  readonly product_id: string;
  readonly last_four: string;
  readonly scopes: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}

export const appKeysTable = table<AppKeyRow>('app_keys', {
  digest: true,
  id: true,
  product_id: true,
  last_four: true,
  scopes: true,
  created_at: true,
  expires_at: true,
  revoked_at: true,
  last_used_at: true,
});

export function toAppKeyRow(key: AppKey): AppKeyRow {
  return {
    digest: key.digest,
    id: key.id,
    product_id: key.productId,
    last_four: key.lastFour,
    scopes: key.scopes.join(' '),
    created_at: key.createdAt.getTime(),
    expires_at: key.expiresAt?.getTime() ?? null,
    revoked_at: key.revokedAt?.getTime() ?? null,
    last_used_at: key.lastUsedAt?.getTime() ?? null,
  };
}

export function fromAppKeyRow(row: AppKeyRow): AppKey {
  return {
    id: row.id,
    productId: row.product_id,
    digest: row.digest,
    lastFour: row.last_four,
    scopes: row.scopes.split(' ').filter(isScope),
    createdAt: new Date(row.created_at),
    expiresAt: dateOrNull(row.expires_at),
    revokedAt: dateOrNull(row.revoked_at),
    lastUsedAt: dateOrNull(row.last_used_at),
  };
}
