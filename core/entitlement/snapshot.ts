import { allowanceOf, ownLimitOf } from '../tier/allowance.ts';
import { noFeatures, type Features } from '../tier/features.ts';
import type { Tier } from '../tier/tier.ts';
import type { CancellationOperation } from './cancellation.ts';
import type { BillingTerm, Entitlement } from './entitlement.ts';
import { clockInstants, endedAt, givesAccess, hasEnded, statusAt, type EntitlementStatus } from './status.ts';

/** An entitlement as it is at one instant, for a merchant's server and the administrator. */
export interface Snapshot {
  readonly id: string;
  readonly productId: string;
  readonly kind: Entitlement['kind'];
  readonly status: EntitlementStatus;
  readonly active: boolean;
  readonly tierId: string;
  readonly tierName: string;
  readonly billingInterval: BillingTerm;
  /** Answers, events and exports show it only if it is not 1. A purchase has 1. */
  readonly billingIntervalCount: number;
  readonly currentPeriodStart: Date;
  readonly currentPeriodEnd: Date | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: Date | null;
  readonly canceledAt: Date | null;
  readonly endedAt: Date | null;
  /** When the access of a purchase ends. Answers, events and exports show it only if it is not null. */
  readonly accessEndsAt: Date | null;
  /** Shown only if it is not null. */
  readonly updatesUntil: Date | null;
  /** Null without a limit. Answers leave it out, with the next member, where there are neither a limit nor devices. */
  readonly deviceLimit: number | null;
  readonly devicesUsed: number;
  /**
   * The allowed features, with the revision of the tier: only in a snapshot that was made effective (`effectiveAt`).
   * Empty, with null, in any other, as in the answers that never have them. Shown only if there are some.
   */
  readonly features: Features;
  readonly tierRevision: number | null;
  /** The operations that would change the entitlement now. */
  readonly allowedActions: readonly CancellationOperation[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly version: number;
}

/** The members of a snapshot from which the others follow. */
export type SnapshotFacts = Omit<Snapshot, 'active' | 'cancelAtPeriodEnd' | 'allowedActions'>;

/** Makes a snapshot from its facts, which may be all that was kept of it. */
export function snapshotFrom(facts: SnapshotFacts): Snapshot {
  const { status, kind, cancelAt } = facts;
  const isOver = kind === 'one_time' || hasEnded(status);
  return {
    ...facts,
    active: givesAccess(status),
    cancelAtPeriodEnd: cancelAt !== null,
    allowedActions: isOver ? [] : [cancelAt === null ? 'cancel' : 'resume'],
  };
}

/** When the snapshot changed last, by a write or by the clock. */
export function modifiedAt(entitlement: Entitlement, now: Date): Date {
  const passed = clockInstants(entitlement).filter((instant) => instant <= now);
  return passed.reduce((last, instant) => (instant > last ? instant : last), entitlement.updatedAt);
}

/** Reads an entitlement at one instant, without what its tier allows. */
export function snapshotAt(entitlement: Entitlement, now: Date): Snapshot {
  const status = statusAt(entitlement, now);
  const subscription = entitlement.kind === 'subscription' ? entitlement : null;
  const cancellation = subscription?.cancellation ?? null;
  return snapshotFrom({
    id: entitlement.id,
    productId: entitlement.productId,
    kind: entitlement.kind,
    status,
    tierId: entitlement.tierId,
    tierName: entitlement.tierName,
    billingInterval: subscription?.billingInterval ?? 'one_time',
    billingIntervalCount: subscription?.billingIntervalCount ?? 1,
    currentPeriodStart: entitlement.currentPeriodStart,
    currentPeriodEnd: subscription?.currentPeriodEnd ?? null,
    cancelAt: cancellation?.at ?? null,
    canceledAt: cancellation?.requestedAt ?? null,
    endedAt: endedAt(entitlement, status),
    accessEndsAt: entitlement.kind === 'one_time' ? entitlement.accessEndsAt : null,
    updatesUntil: entitlement.updatesUntil,
    deviceLimit: ownLimitOf(entitlement.deviceLimit),
    devicesUsed: entitlement.devicesUsed,
    features: noFeatures,
    tierRevision: null,
    createdAt: entitlement.createdAt,
    updatedAt: entitlement.updatedAt,
    version: entitlement.version,
  });
}

/** Reads an entitlement at one instant, with its allowance: by values of its own, else by those of its tier. */
export function effectiveAt(entitlement: Entitlement, now: Date, tier: Tier | null): Snapshot {
  return { ...snapshotAt(entitlement, now), ...allowanceOf(entitlement, tier) };
}
