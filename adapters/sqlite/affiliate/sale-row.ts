import { lineDueAt, lookDueAt } from '../../../core/affiliate/sale/commission.ts';
import type { Sale, SaleSource, Voided } from '../../../core/affiliate/sale/sale.ts';
import type { Terms } from '../../../core/affiliate/sale/terms.ts';
import { dateOrNull, table } from '../engine/table.ts';

/**
 * A row of `sales`. Instants are milliseconds since 1970; `terms`, `payments` and `voided` are JSON. `look_at` and
 * `line_at` are what `lookDueAt` and `lineDueAt` say.
 */
export interface SaleRow {
  readonly entitlement_id: string;
  readonly id: string;
  readonly product_id: string;
  readonly handle: string;
  readonly slug: string;
  readonly source: SaleSource;
  readonly attributed_at: number;
  readonly terms: string;
  readonly currency: string;
  readonly payments: string;
  readonly confirmed_at: number | null;
  readonly voided: string | null;
  readonly stated: number;
  readonly statements: number;
  readonly stated_until: number | null;
  readonly look_at: number | null;
  readonly line_at: number | null;
  readonly revision: number;
}

export const salesTable = table<SaleRow>('sales', {
  entitlement_id: true,
  id: true,
  product_id: true,
  handle: true,
  slug: true,
  source: true,
  attributed_at: true,
  terms: true,
  currency: true,
  payments: true,
  confirmed_at: true,
  voided: true,
  stated: true,
  statements: true,
  stated_until: true,
  look_at: true,
  line_at: true,
  revision: true,
});

type StoredPayment = readonly [id: string, paidAt: number, amount: number, kept: number];
type StoredVoided = Omit<Voided, 'at'> & { readonly at: number };

export function toSaleRow(sale: Sale): SaleRow {
  const { voided } = sale;
  const payments = sale.payments.map(({ id, paidAt, amount, kept }) => [id, paidAt.getTime(), amount, kept]);
  return {
    entitlement_id: sale.entitlementId,
    id: sale.id,
    product_id: sale.productId,
    handle: sale.handle,
    slug: sale.slug,
    source: sale.by,
    attributed_at: sale.attributedAt.getTime(),
    terms: JSON.stringify(sale.terms),
    currency: sale.currency,
    payments: JSON.stringify(payments),
    confirmed_at: sale.confirmedAt?.getTime() ?? null,
    voided: voided && JSON.stringify({ ...voided, at: voided.at.getTime() }),
    stated: sale.stated,
    statements: sale.statements,
    stated_until: sale.statedUntil?.getTime() ?? null,
    look_at: lookDueAt(sale)?.getTime() ?? null,
    line_at: lineDueAt(sale)?.getTime() ?? null,
    revision: sale.revision,
  };
}

export function fromSaleRow(row: SaleRow): Sale {
  const payments = JSON.parse(row.payments) as readonly StoredPayment[];
  return {
    entitlementId: row.entitlement_id,
    id: row.id,
    productId: row.product_id,
    handle: row.handle,
    slug: row.slug,
    by: row.source,
    attributedAt: new Date(row.attributed_at),
    terms: JSON.parse(row.terms) as Terms,
    currency: row.currency,
    payments: payments.map(([id, paidAt, amount, kept]) => ({ id, paidAt: new Date(paidAt), amount, kept })),
    confirmedAt: dateOrNull(row.confirmed_at),
    voided: row.voided === null ? null : fromStoredVoided(JSON.parse(row.voided) as StoredVoided),
    stated: row.stated,
    statements: row.statements,
    statedUntil: dateOrNull(row.stated_until),
    revision: row.revision,
  };
}

function fromStoredVoided({ at, by, reason }: StoredVoided): Voided {
  return { at: new Date(at), by, reason };
}
