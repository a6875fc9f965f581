import type { CommandAnswer } from '../../../../core/entitlement/administration/apply-decision.ts';
import type { FullSnapshot } from '../../../../core/entitlement/administration/show-entitlement.ts';
import type { Snapshot } from '../../../../core/entitlement/snapshot.ts';
import type { Outcome } from '../../declaration/command.ts';
import { only } from '../../declaration/view.ts';

const members = [
  'id',
  'productId',
  'kind',
  'status',
  'active',
  'tierId',
  'tierName',
  'billingInterval',
  'billingIntervalCount',
  'currentPeriodStart',
  'currentPeriodEnd',
  'cancelAtPeriodEnd',
  'cancelAt',
  'canceledAt',
  'endedAt',
  'accessEndsAt',
  'updatesUntil',
  'allowedActions',
  'createdAt',
  'updatedAt',
  'version',
  'deviceLimit',
  'devicesUsed',
] as const satisfies readonly (keyof Snapshot)[];

/** What a member is where it is left out. */
const leftOut: Readonly<Partial<Record<keyof Snapshot, unknown>>> = {
  billingIntervalCount: 1,
  accessEndsAt: null,
  updatesUntil: null,
};

/** The members that every command and request shows. */
export function snapshotView(snapshot: Snapshot): Partial<Snapshot> {
  const hasSeats = snapshot.deviceLimit !== null || snapshot.devicesUsed > 0;
  return only(
    snapshot,
    members.filter((member) => {
      if (member === 'deviceLimit' || member === 'devicesUsed') return hasSeats;
      return leftOut[member] === undefined || leftOut[member] !== snapshot[member];
    }),
  );
}

/** A snapshot with what only the administrator may see; of the license, never more than its last four characters. */
function fullSnapshotView(snapshot: FullSnapshot): object {
  const { license } = snapshot;
  return {
    ...snapshotView(snapshot),
    ...only(snapshot, ['reference', 'graceUntil']),
    license: license && only(license, ['lastFour', 'createdAt', 'revokedAt']),
    suspendedBy: snapshot.suspendedBy,
  };
}

/** What a command shows that has changed an entitlement. */
export function snapshotOutcome({ snapshot }: Pick<CommandAnswer, 'snapshot'>): Outcome {
  return { data: snapshotView(snapshot), entitlementId: snapshot.id };
}

/** What a command shows of an entitlement as a whole; to people, with a line for each member of the license. */
export function fullOutcome(snapshot: FullSnapshot): Outcome {
  const { reference, graceUntil, license, suspendedBy } = snapshot;
  return {
    data: fullSnapshotView(snapshot),
    facts: {
      ...snapshotView(snapshot),
      reference,
      graceUntil,
      licenseLastFour: license?.lastFour,
      licenseCreatedAt: license?.createdAt,
      licenseRevokedAt: license?.revokedAt,
      suspendedBy,
    },
    entitlementId: snapshot.id,
  };
}
