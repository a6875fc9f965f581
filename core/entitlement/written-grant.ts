import { identifierRule } from '../identifier.ts';
import { durationRule } from '../parsing/duration.ts';
import { instantRule } from '../parsing/instant.ts';
import type { MemberRules } from '../parsing/read-members.ts';
import { displayNameRule, oneOf, wholeNumber, type ValueRule } from '../parsing/value-rule.ts';
import { defaultGrace } from './entitlement-command.ts';
import {
  billingTerms,
  maxDevices,
  maxIntervalCount,
  standings,
  type BillingTerm,
  type Standing,
} from './entitlement.ts';
import type { Grant } from './grant.ts';

/** A grant as options or a line of an import file give it. Optional members have a default. */
export interface WrittenGrant {
  readonly productId: string;
  readonly tierId: string;
  readonly tierName: string;
  readonly billingInterval: BillingTerm;
  readonly billingIntervalCount?: number;
  readonly currentPeriodStart?: Date;
  /** For a purchase, another name of `accessEndsAt`. */
  readonly currentPeriodEnd?: Date;
  readonly accessEndsAt?: Date;
  readonly updatesUntil?: Date;
  readonly status?: Standing;
  /** In milliseconds. */
  readonly grace?: number;
  readonly reference?: string;
  readonly deviceLimit?: number;
}

/** The rule for how many billing intervals a period has. */
export const intervalCountRule = wholeNumber(1, maxIntervalCount);

export const deviceLimitRule = wholeNumber(1, maxDevices);

/** A limit of devices as an administrator changes it. */
export const givenLimitRule: ValueRule<number | 'unlimited'> = {
  parse: (given) => (given === 'unlimited' ? given : deviceLimitRule.parse(given)),
  read: (given) => (given === 'unlimited' ? given : deviceLimitRule.read(given)),
  rule: `${deviceLimitRule.rule}, or unlimited`,
};

/** The limit of an entitlement: its own, or that of its tier. */
export const ownLimitRule: ValueRule<number | 'unlimited' | 'tier'> = {
  parse: (given) => (given === 'tier' ? given : givenLimitRule.parse(given)),
  read: (given) => (given === 'tier' ? given : givenLimitRule.read(given)),
  rule: `${deviceLimitRule.rule}, unlimited, or tier`,
};

export const grantRules: MemberRules<WrittenGrant> = {
  productId: identifierRule,
  tierId: identifierRule,
  tierName: displayNameRule,
  billingInterval: oneOf(billingTerms),
  billingIntervalCount: intervalCountRule,
  currentPeriodStart: instantRule,
  currentPeriodEnd: instantRule,
  accessEndsAt: instantRule,
  updatesUntil: instantRule,
  status: oneOf(standings),
  grace: durationRule,
  reference: displayNameRule,
  deviceLimit: deviceLimitRule,
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
  /** A purchase has no intervals, and one end, so it cannot have this member. */
  | { readonly kind: 'not for a purchase'; readonly member: 'billingIntervalCount' | 'currentPeriodEnd' | 'grace' }
  /** The access of a subscription ends with its period, so it cannot have this member. */
  | { readonly kind: 'not for a subscription'; readonly member: 'accessEndsAt' };

/** Turns a written grant into a grant, with the defaults for members that are left out. */
export function grantOf(written: WrittenGrant): GrantReading {
  const { productId, tierId, tierName, billingInterval, billingIntervalCount, currentPeriodEnd, grace } = written;
  const {
    currentPeriodStart = null,
    reference = null,
    updatesUntil = null,
    deviceLimit = null,
    accessEndsAt,
  } = written;
  const sold = { productId, tierId, tierName, standing: written.status ?? 'active' } as const;
  const terms = { ...sold, currentPeriodStart, reference, updatesUntil, deviceLimit };
  if (billingInterval === 'one_time') {
    if (billingIntervalCount !== undefined) return { kind: 'not for a purchase', member: 'billingIntervalCount' };
    if (grace !== undefined) return { kind: 'not for a purchase', member: 'grace' };
    const end = accessEndsAt ?? currentPeriodEnd ?? null;
    if (currentPeriodEnd !== undefined && currentPeriodEnd.getTime() !== end?.getTime()) {
      return { kind: 'not for a purchase', member: 'currentPeriodEnd' };
    }
    return { kind: 'grant', grant: { kind: 'one_time', ...terms, accessEndsAt: end } };
  }
  if (accessEndsAt !== undefined) return { kind: 'not for a subscription', member: 'accessEndsAt' };
  const interval = { billingInterval, billingIntervalCount: billingIntervalCount ?? 1 };
  const period = { currentPeriodEnd: currentPeriodEnd ?? null, grace: grace ?? defaultGrace };
  return { kind: 'grant', grant: { kind: 'subscription', ...terms, ...interval, ...period } };
}

/** Says why a grant cannot have a member, by the names that its members have for its writer. */
export function notFor(
  { kind, member }: Exclude<GrantReading, { readonly kind: 'grant' }>,
  names: { readonly billingInterval: string; readonly accessEndsAt: string } = {
    billingInterval: 'billingInterval',
    accessEndsAt: 'accessEndsAt',
  },
): string {
  const { billingInterval, accessEndsAt } = names;
  if (kind === 'not for a subscription') {
    return `needs ${billingInterval} one_time: the access of a subscription ends with its period and grace`;
  }
  return member === 'currentPeriodEnd'
    ? `must be left out of a purchase with ${accessEndsAt}, which is its end`
    : `cannot be combined with ${billingInterval} one_time, which has no intervals`;
}
