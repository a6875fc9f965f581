import { identifierRule } from '../identifier.ts';
import { durationRule } from '../parsing/duration.ts';
import { instantRule } from '../parsing/instant.ts';
import type { MemberRules } from '../parsing/read-members.ts';
import { displayNameRule, numberThat, oneOf } from '../parsing/value-rule.ts';
import { defaultGrace } from './entitlement-command.ts';
import { billingTerms, maxIntervalCount, standings, type BillingTerm, type Standing } from './entitlement.ts';
import type { Grant } from './grant.ts';

/** A grant as options or a line of an import file give it. Optional members have a default. */
export interface WrittenGrant {
  readonly productId: string;
  readonly tierId: string;
  readonly tierName: string;
  readonly billingInterval: BillingTerm;
  readonly billingIntervalCount?: number;
  readonly currentPeriodStart?: Date;
  readonly currentPeriodEnd?: Date;
  readonly status?: Standing;
  /** In milliseconds. */
  readonly grace?: number;
  readonly reference?: string;
}

/** The rule for how many billing intervals a period has. */
export const intervalCountRule = numberThat(
  (value) => Number.isInteger(value) && value >= 1 && value <= maxIntervalCount,
  `must be a whole number from 1 to ${maxIntervalCount}`,
);

export const grantRules: MemberRules<WrittenGrant> = {
  productId: identifierRule,
  tierId: identifierRule,
  tierName: displayNameRule,
  billingInterval: oneOf(billingTerms),
  billingIntervalCount: intervalCountRule,
  currentPeriodStart: instantRule,
  currentPeriodEnd: instantRule,
  status: oneOf(standings),
  grace: durationRule,
  reference: displayNameRule,
};

/** The members that have no default. */
export const requiredOfGrant = [
  'productId',
  'tierId',
  'tierName',
  'billingInterval',
] as const satisfies readonly (keyof WrittenGrant)[];

export type GrantReading =
  | { readonly kind: 'grant'; readonly grant: Grant }
  /** A purchase never ends, so it cannot have this member. */
  | { readonly kind: 'not for a purchase'; readonly member: 'billingIntervalCount' | 'currentPeriodEnd' | 'grace' };

/** Turns a written grant into a grant, with the defaults for members that are left out. */
export function grantOf(written: WrittenGrant): GrantReading {
  const { productId, tierId, tierName, billingInterval, billingIntervalCount, currentPeriodEnd, grace } = written;
  const { currentPeriodStart = null, reference = null } = written;
  const terms = { productId, tierId, tierName, standing: written.status ?? 'active', currentPeriodStart, reference };
  if (billingInterval !== 'one_time') {
    const interval = { billingInterval, billingIntervalCount: billingIntervalCount ?? 1 };
    const period = { currentPeriodEnd: currentPeriodEnd ?? null, grace: grace ?? defaultGrace };
    return { kind: 'grant', grant: { kind: 'subscription', ...terms, ...interval, ...period } };
  }
  if (billingIntervalCount !== undefined) return { kind: 'not for a purchase', member: 'billingIntervalCount' };
  if (currentPeriodEnd !== undefined) return { kind: 'not for a purchase', member: 'currentPeriodEnd' };
  if (grace !== undefined) return { kind: 'not for a purchase', member: 'grace' };
  return { kind: 'grant', grant: { kind: 'one_time', ...terms } };
}
