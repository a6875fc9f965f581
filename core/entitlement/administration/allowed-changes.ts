import { decideCommand, type EntitlementCommand } from '../entitlement-command.ts';
import type { Entitlement } from '../entitlement.ts';

/** The changes that an administrator is offered, in the order in which they are shown. */
export const offeredChanges = [
  'renew',
  'resume',
  'reinstate',
  'change-tier',
  'allow',
  'cancel',
  'suspend',
  'revoke',
] as const satisfies readonly EntitlementCommand['kind'][];

export type OfferedChange = (typeof offeredChanges)[number];

/** The last instant that a renewal can name. */
const farAway = new Date(Date.UTC(8999, 11, 31));

/** Lists the changes that `decideCommand` would make now. Those with values could be made with some values. */
export function allowedChanges(entitlement: Entitlement, now: Date): readonly OfferedChange[] {
  return offeredChanges.filter((kind) => decideCommand(sample(kind), entitlement, now).kind === 'changed');
}

/** A command of a kind that changes whatever can be changed. No tier has an empty id, and no limit is 0. */
function sample(kind: OfferedChange): EntitlementCommand {
  switch (kind) {
    case 'renew':
      return { kind, currentPeriodEnd: farAway, grace: 0 };
    case 'change-tier':
      return {
        kind,
        tierId: '',
        tierName: '',
        billingInterval: null,
        billingIntervalCount: null,
        currentPeriodEnd: null,
        grace: null,
      };
    case 'allow':
      return { kind, deviceLimit: 0 };
    case 'resume':
    case 'reinstate':
    case 'cancel':
    case 'suspend':
    case 'revoke':
      return { kind };
  }
}
