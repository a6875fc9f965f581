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

export function verified(row: EntitlementRow): object {
  return {
    valid: true,
    entitlement: {
      id: row.id,
      productId: row.product_id,
      status: row.standing,
      tierId: row.tier_id,
      tierName: row.tier_name,
      billingInterval: row.billing_interval,
      currentPeriodEnd: iso(row.period_end),
    },
  };
}

export function snapshot(row: EntitlementRow): object {
  return {
    id: row.id,
    productId: row.product_id,
    kind: 'subscription',
    status: row.standing,
    active: true,
    tierId: row.tier_id,
    tierName: row.tier_name,
    billingInterval: row.billing_interval,
    currentPeriodStart: iso(row.period_start),
    currentPeriodEnd: iso(row.period_end),
    cancelAtPeriodEnd: row.cancel_at !== null,
    cancelAt: iso(row.cancel_at),
    canceledAt: iso(row.canceled_at),
    endedAt: null,
    allowedActions: row.cancel_at === null ? ['cancel'] : ['resume'],
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    version: row.version,
  };
}

function iso(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
