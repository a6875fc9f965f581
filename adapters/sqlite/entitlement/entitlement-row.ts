import {
  suspensionCauses,
  type BillingInterval,
  type Entitlement,
  type Hold,
  type Standing,
} from '../../../core/entitlement/entitlement.ts';
import { heldBy } from '../../../core/entitlement/suspension.ts';
import type { License } from '../../../core/license/license.ts';
import { hasFeatures, noFeatures, type Features } from '../../../core/tier/features.ts';
import { damagedStore } from '../engine/errors.ts';
import { dateOrNull, insertInto, table } from '../engine/table.ts';

/** A row of `entitlements`. Instants are milliseconds since 1970. */
export interface EntitlementRow {
  readonly id: string;
  readonly product_id: string;
  readonly kind: Entitlement['kind'];
  readonly tier_id: string;
  readonly tier_name: string;
  readonly billing_interval: BillingInterval | null;
  readonly billing_interval_count: number;
  readonly standing: Standing;
  readonly hold: Hold['kind'];
  readonly hold_at: number | null;
  readonly suspension_causes: string | null;
  readonly period_start: number;
  readonly period_end: number | null;
  readonly grace_until: number | null;
  readonly cancel_at: number | null;
  readonly canceled_at: number | null;
  readonly reference: string | null;
  readonly license_digest: string | null;
  readonly license_last_four: string | null;
  readonly license_created_at: number | null;
  readonly license_revoked_at: number | null;
  readonly device_limit: number | null;
  readonly devices_used: number;
  readonly features: string | null;
  readonly releases_until: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly version: number;
  readonly revision: number;
  readonly sequence: number;
  readonly next_event_at: number | null;
  readonly untold_end: number | null;
  readonly anchor_day: number | null;
  readonly unpaid_until: number | null;
  readonly access_ends_at: number | null;
  readonly updates_until: number | null;
}

export const entitlementsTable = table<EntitlementRow>('entitlements', {
  id: true,
  product_id: true,
  kind: true,
  tier_id: true,
  tier_name: true,
  billing_interval: true,
  billing_interval_count: true,
  standing: true,
  hold: true,
  hold_at: true,
  suspension_causes: true,
  period_start: true,
  period_end: true,
  grace_until: true,
  cancel_at: true,
  canceled_at: true,
  reference: true,
  license_digest: true,
  license_last_four: true,
  license_created_at: true,
  license_revoked_at: true,
  device_limit: true,
  devices_used: true,
  features: true,
  releases_until: true,
  created_at: true,
  updated_at: true,
  version: true,
  revision: true,
  sequence: true,
  next_event_at: true,
  untold_end: true,
  anchor_day: true,
  unpaid_until: true,
  access_ends_at: true,
  updates_until: true,
});

/** The `device_limit` of an entitlement that has no limit of its own accord. */
const unlimited = 0;

export function toEntitlementRow(entitlement: Entitlement): EntitlementRow {
  const subscription = entitlement.kind === 'subscription' ? entitlement : null;
  const { hold, license } = entitlement;
  return {
    id: entitlement.id,
    product_id: entitlement.productId,
    kind: entitlement.kind,
    tier_id: entitlement.tierId,
    tier_name: entitlement.tierName,
    billing_interval: subscription?.billingInterval ?? null,
    billing_interval_count: subscription?.billingIntervalCount ?? 1,
    standing: entitlement.standing,
    hold: hold.kind,
    hold_at: hold.kind === 'revoked' ? hold.at.getTime() : null,
    suspension_causes: (hold.kind === 'suspended' && hold.causes?.join()) || null,
    period_start: entitlement.currentPeriodStart.getTime(),
    period_end: subscription?.currentPeriodEnd.getTime() ?? null,
    grace_until: subscription?.graceUntil.getTime() ?? null,
    cancel_at: subscription?.cancellation?.at.getTime() ?? null,
    canceled_at: subscription?.cancellation?.requestedAt.getTime() ?? null,
    reference: entitlement.reference,
    license_digest: license?.digest ?? null,
    license_last_four: license?.lastFour ?? null,
    license_created_at: license?.createdAt.getTime() ?? null,
    license_revoked_at: license?.revokedAt?.getTime() ?? null,
    device_limit: entitlement.deviceLimit === 'unlimited' ? unlimited : entitlement.deviceLimit,
    features: hasFeatures(entitlement.features) ? JSON.stringify(entitlement.features) : null,
    devices_used: entitlement.devicesUsed,
    releases_until: entitlement.releasesUntil?.getTime() ?? null,
    created_at: entitlement.createdAt.getTime(),
    updated_at: entitlement.updatedAt.getTime(),
    version: entitlement.version,
    revision: entitlement.revision,
    sequence: entitlement.sequence,
    next_event_at: entitlement.nextEventAt?.getTime() ?? null,
    untold_end: entitlement.unannouncedEnd?.getTime() ?? null,
    anchor_day: subscription?.anchorDay ?? null,
    unpaid_until: subscription?.unpaidUntil?.getTime() ?? null,
    access_ends_at: entitlement.kind === 'one_time' ? (entitlement.accessEndsAt?.getTime() ?? null) : null,
    updates_until: entitlement.updatesUntil?.getTime() ?? null,
  };
}

/** Throws if a column is NULL that is never NULL in a row of its kind. */
export function fromEntitlementRow(row: EntitlementRow): Entitlement {
  const base = {
    id: row.id,
    productId: row.product_id,
    tierId: row.tier_id,
    tierName: row.tier_name,
    standing: row.standing,
    hold: holdOf(row),
    currentPeriodStart: new Date(row.period_start),
    reference: row.reference,
    updatesUntil: dateOrNull(row.updates_until),
    license: licenseOf(row),
    deviceLimit: row.device_limit === unlimited ? ('unlimited' as const) : row.device_limit,
    features: row.features === null ? noFeatures : (JSON.parse(row.features) as Features),
    devicesUsed: row.devices_used,
    releasesUntil: dateOrNull(row.releases_until),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    version: row.version,
    revision: row.revision,
    sequence: row.sequence,
    nextEventAt: dateOrNull(row.next_event_at),
    unannouncedEnd: dateOrNull(row.untold_end),
  };
  if (row.kind === 'one_time') return { ...base, kind: 'one_time', accessEndsAt: dateOrNull(row.access_ends_at) };
  return {
    ...base,
    kind: 'subscription',
    billingInterval: present(row.billing_interval),
    billingIntervalCount: row.billing_interval_count,
    currentPeriodEnd: new Date(present(row.period_end)),
    anchorDay: row.anchor_day,
    graceUntil: new Date(present(row.grace_until)),
    cancellation:
      row.cancel_at === null ? null : { at: new Date(row.cancel_at), requestedAt: new Date(present(row.canceled_at)) },
    unpaidUntil: dateOrNull(row.unpaid_until),
  };
}

function holdOf(row: EntitlementRow): Hold {
  const { hold, suspension_causes: causes } = row;
  if (hold === 'revoked') return { kind: 'revoked', at: new Date(present(row.hold_at)) };
  if (hold === 'none' || causes === null) return { kind: hold };
  return heldBy(suspensionCauses.filter((cause) => causes.split(',').includes(cause)));
}

function licenseOf(row: EntitlementRow): License | null {
  if (row.license_digest === null) return null;
  return {
    digest: row.license_digest,
    lastFour: row.license_last_four,
    createdAt: new Date(present(row.license_created_at)),
    revokedAt: dateOrNull(row.license_revoked_at),
  };
}

function present<T>(value: T | null): T {
  if (value === null) throw damagedStore('a column of the entitlement is NULL that must not be');
  return value;
}

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
