import type { CommandAnswer } from '../../../core/entitlement/administration/apply-decision.ts';
import type { FullSnapshot } from '../../../core/entitlement/administration/show-entitlement.ts';
import type { Snapshot } from '../../../core/entitlement/snapshot.ts';
import { details } from '../output/table.ts';
import type { ChangeResult } from '../run/run-command.ts';

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

/** What `shownWhole` adds to the text; the license has a line for each of its members. */
const wholeMembers = [
  'reference',
  'graceUntil',
  'licenseLastFour',
  'licenseCreatedAt',
  'licenseRevokedAt',
  'suspendedBy',
] as const;

export function snapshotText(snapshot: Snapshot): string {
  return details(snapshot, membersOf(snapshot));
}

/** The result of a command that changes an entitlement: the members that every command prints. */
export function shown({ snapshot }: CommandAnswer): ChangeResult {
  return { json: { value: valueOf(snapshot) }, text: () => snapshotText(snapshot) };
}

/** The result of a command that shows an entitlement whole: every member that an operator reads over HTTP. */
export function shownWhole(snapshot: FullSnapshot): ChangeResult {
  const { reference, graceUntil, license, suspendedBy } = snapshot;
  const value = { ...valueOf(snapshot), reference, graceUntil, license, suspendedBy };
  const lines: Readonly<Record<string, unknown>> = { ...value, ...licenseLines(license) };
  return { json: { value }, text: () => details(lines, [...membersOf(snapshot), ...wholeMembers]) };
}

/** A snapshot as an item of JSON, in which a count of 1 is left out. */
export function withoutSingleCount(snapshot: Snapshot): Partial<Snapshot> {
  const { billingIntervalCount, ...others } = snapshot;
  return billingIntervalCount === 1 ? others : snapshot;
}

/** The members that are shown. A count of 1 is left out. */
function membersOf({ billingIntervalCount }: Snapshot): readonly (typeof members)[number][] {
  return billingIntervalCount === 1 ? members.filter((member) => member !== 'billingIntervalCount') : members;
}

function valueOf(snapshot: Snapshot): Readonly<Record<string, unknown>> {
  return Object.fromEntries(membersOf(snapshot).map((member) => [member, snapshot[member]]));
}

function licenseLines(license: FullSnapshot['license']): object {
  return {
    licenseLastFour: license?.lastFour,
    licenseCreatedAt: license?.createdAt,
    licenseRevokedAt: license?.revokedAt,
  };
}
