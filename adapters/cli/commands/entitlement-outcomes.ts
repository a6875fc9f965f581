import type { CommandAnswer } from '../../../core/entitlement/administration/apply-decision.ts';
import type { Snapshot } from '../../../core/entitlement/snapshot.ts';
import type { ChangeOutcome } from '../run/change-request.ts';
import type { Change } from '../shell/shell.ts';
import { details } from '../output/table.ts';

const members = [
  'id',
  'productId',
  'kind',
  'status',
  'active',
  'tierId',
  'tierName',
  'billingInterval',
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

export function snapshotDetails(snapshot: Snapshot): string {
  return details(snapshot, members);
}

/** A snapshot, of which nothing was changed. */
export function shownOutcome(snapshot: Snapshot): ChangeOutcome {
  return { json: { value: snapshot }, text: () => snapshotDetails(snapshot), change: null };
}

/** A snapshot after a command, which may have had nothing to change. */
export function changedOutcome(command: string, answer: CommandAnswer): ChangeOutcome {
  return { ...shownOutcome(answer.snapshot), change: changeOf(command, answer) };
}

export function changeOf(command: string, { snapshot, versionBefore }: CommandAnswer): Change | null {
  const { id, version } = snapshot;
  return version === versionBefore ? null : { command, entitlementId: id, versionBefore, version };
}
