import type { CommandAnswer } from '../../../core/entitlement/administration/apply-decision.ts';
import type { FullSnapshot } from '../../../core/entitlement/administration/show-entitlement.ts';
import type { Snapshot } from '../../../core/entitlement/snapshot.ts';
import type { Outcome } from '../declaration/command.ts';
import { only } from '../declaration/view.ts';

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
  'allowedActions',
  'createdAt',
  'updatedAt',
  'version',
] as const satisfies readonly (keyof Snapshot)[];

/** The members that every command and request shows. A count of 1 is left out. */
export function snapshotView(snapshot: Snapshot): Partial<Snapshot> {
  const { billingIntervalCount, ...others } = only(snapshot, members);
  return billingIntervalCount === 1 ? others : only(snapshot, members);
}

/** A snapshot with what only the administrator may see; of the license, never more than its last four characters. */
export function fullSnapshotView(snapshot: FullSnapshot): object {
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
