import type { CommandAnswer } from '../../../../core/entitlement/administration/apply-decision.ts';
import type { FullSnapshot } from '../../../../core/entitlement/administration/show-entitlement.ts';
import type { Snapshot } from '../../../../core/entitlement/snapshot.ts';
import { featureLines, hasFeatures } from '../../../../core/tier/features.ts';
import type { Outcome } from '../../declaration/command.ts';
import { only } from '../../declaration/view.ts';
import { warningNote, warningsView } from '../tier-warning.ts';

/**
 * The members of a snapshot, named one by one so that renaming one in core cannot change the API. Instants are RFC 3339 in
 * UTC with milliseconds, made texts here: `JSON.stringify` takes twice as long over a `Date`.
 */
export function snapshotView(snapshot: Snapshot): object {
  return {
    id: snapshot.id,
    productId: snapshot.productId,
    kind: snapshot.kind,
    status: snapshot.status,
    active: snapshot.active,
    tierId: snapshot.tierId,
    tierName: snapshot.tierName,
    billingInterval: snapshot.billingInterval,
    // JSON leaves out what is undefined.
    billingIntervalCount: snapshot.billingIntervalCount === 1 ? undefined : snapshot.billingIntervalCount,
    currentPeriodStart: snapshot.currentPeriodStart.toISOString(),
    currentPeriodEnd: instantOrNull(snapshot.currentPeriodEnd),
    cancelAtPeriodEnd: snapshot.cancelAtPeriodEnd,
    cancelAt: instantOrNull(snapshot.cancelAt),
    canceledAt: instantOrNull(snapshot.canceledAt),
    endedAt: instantOrNull(snapshot.endedAt),
    accessEndsAt: snapshot.accessEndsAt?.toISOString(),
    updatesUntil: snapshot.updatesUntil?.toISOString(),
    allowedActions: snapshot.allowedActions,
    createdAt: snapshot.createdAt.toISOString(),
    updatedAt: snapshot.updatedAt.toISOString(),
    version: snapshot.version,
    ...seatsView(snapshot),
    features: hasFeatures(snapshot.features) ? snapshot.features : undefined,
  };
}

/** A snapshot as people read it: its features as options write them. */
export function snapshotFacts(snapshot: Snapshot): object {
  const { features } = snapshot;
  return { ...snapshotView(snapshot), features: hasFeatures(features) ? featureLines(features) : undefined };
}

/** Absent where there are neither a limit nor devices, so that entitlements without them look as they always did. */
function seatsView({ deviceLimit, devicesUsed }: Snapshot): object | null {
  return deviceLimit === null && devicesUsed === 0 ? null : { deviceLimit, devicesUsed };
}

/** The outcome of a command that has changed an entitlement. */
export function snapshotOutcome(answer: Pick<CommandAnswer, 'snapshot' | 'isUnknownTier'>): Outcome {
  const { snapshot } = answer;
  return {
    data: { ...snapshotView(snapshot), ...warningsView(answer) },
    facts: snapshotFacts(snapshot),
    ...warningNote(answer),
    entitlementId: snapshot.id,
  };
}

/**
 * The outcome of a command that shows a whole entitlement, with the members for the administrator alone; of the license,
 * never more than its last four characters. To people, with a line for each member of the license.
 */
export function fullOutcome(snapshot: FullSnapshot): Outcome {
  const { license } = snapshot;
  const alone = only(snapshot, ['reference', 'graceUntil']);
  const { suspendedBy, own } = snapshot;
  return {
    data: {
      ...snapshotView(snapshot),
      ...alone,
      license: license && only(license, ['lastFour', 'createdAt', 'revokedAt']),
      suspendedBy,
      own,
    },
    facts: {
      ...snapshotFacts(snapshot),
      ...alone,
      licenseLastFour: license?.lastFour ?? null,
      licenseCreatedAt: license?.createdAt ?? null,
      licenseRevokedAt: license?.revokedAt ?? null,
      suspendedBy,
      ownDeviceLimit: own.deviceLimit,
      ownFeatures: hasFeatures(own.features) ? featureLines(own.features) : null,
    },
    entitlementId: snapshot.id,
  };
}

export function instantOrNull(instant: Date | null): string | null {
  return instant === null ? null : instant.toISOString();
}
