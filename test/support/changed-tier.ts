import type { EntitlementCommand } from '../../core/entitlement/entitlement-command.ts';
import { aSubscription } from './builders.ts';

/** A subscription in which every term differs from the built one. */
export const aQuarterly = aSubscription({ tierId: 'solo', tierName: 'Solo', billingIntervalCount: 3 });

/** Changes every term of a subscription that its answers show. */
export const toTeam: EntitlementCommand = {
  kind: 'change-tier',
  tierId: 'team',
  tierName: 'Team',
  billingInterval: 'year',
  billingIntervalCount: 2,
  currentPeriodEnd: null,
  grace: null,
};
