import type { Facts } from '../views.ts';

/** The columns that the peer reads of Latchkey's table. */
export interface EntitlementRow {
  readonly id: string;
  readonly product_id: string;
  readonly tier_id: string;
  readonly tier_name: string;
  readonly billing_interval: string;
  readonly standing: string;
  readonly period_start: number;
  readonly period_end: number;
  readonly cancel_at: number | null;
  readonly canceled_at: number | null;
  readonly license_revoked_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly version: number;
}

export function factsOf(row: EntitlementRow): Facts {
  return {
    id: row.id,
    productId: row.product_id,
    standing: row.standing,
    tierId: row.tier_id,
    tierName: row.tier_name,
    billingInterval: row.billing_interval,
    currentPeriodStart: row.period_start,
    currentPeriodEnd: row.period_end,
    cancelAt: row.cancel_at,
    canceledAt: row.canceled_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  };
}
