import type { ImportStatus } from '../../../core/entitlement/administration/import-entitlements.ts';
import { defaultGrace } from '../../../core/entitlement/entitlement-command.ts';
import { maxIntervalCount, type BillingInterval } from '../../../core/entitlement/entitlement.ts';
import { nearestInterval } from '../../../core/entitlement/nearest-interval.ts';
import type { AddInterval } from '../../../core/entitlement/period-end.ts';
import { day, parseDuration } from '../../../core/parsing/duration.ts';
import type { MappedTier } from './product-map.ts';
import type { Sold, SoldEnd, SoldInterval } from './record/sold.ts';

/** A line of `entitlement import`. */
export interface SoldLine {
  readonly id: string;
  readonly productId: string;
  readonly tierId: string;
  readonly tierName: string;
  readonly billingInterval: BillingInterval | 'one_time';
  readonly billingIntervalCount?: number;
  readonly currentPeriodStart?: string;
  readonly currentPeriodEnd?: string;
  readonly status: ImportStatus;
  readonly deviceLimit?: number;
  readonly grace?: string;
  readonly reference?: string;
  readonly licenseKey?: string;
}

/** The instants of an import, and its calendar. */
export interface Times {
  readonly now: Date;
  /** When the export was made. */
  readonly asOf: Date;
  readonly addInterval: AddInterval;
}

interface Interval {
  readonly unit: BillingInterval;
  readonly count: number;
}

/** The interval of access with an end of which neither the vendor nor the map says how often it renews. */
const assumed: Interval = { unit: 'year', count: 1 };

/** Reports whether the access of a line is revoked, or has ended by now. */
export function hasEnded({ status, currentPeriodEnd, grace }: SoldLine, now: Date): boolean {
  if (status === 'revoked') return true;
  if (currentPeriodEnd === undefined) return false;
  const length = grace === undefined ? defaultGrace : (parseDuration(grace) ?? defaultGrace);
  return Date.parse(currentPeriodEnd) + length <= now.getTime();
}

/**
 * The id of an entitlement. Characters that an identifier cannot have are written as `~` and their code. `=` at the end is
 * padding, and left out.
 */
export function entitlementId(prefix: string, vendorId: string): string {
  const id = vendorId.replace(/=+$/, '');
  return `${prefix}_${id.replaceAll(/[^\w.-]/g, (each) => `~${each.charCodeAt(0).toString(16)}`)}`;
}

/** Rewrites a purchase as a line, without its key and its reference. */
export function lineOf(sold: Sold, tier: MappedTier, id: string, times: Times): SoldLine {
  const { productId, tierId, tierName } = tier;
  const status = statusOf(sold, times);
  const deviceLimit = limitOf(sold, tier);
  const terms = { id, productId, tierId, tierName, status, ...(deviceLimit !== null && { deviceLimit }) };
  const end = endOf(sold, times);
  if (end === null && (tier.billingInterval === 'one_time' || intervalOf(sold, tier) === null)) {
    const start = sold.start !== null && { currentPeriodStart: sold.start.toISOString() };
    return { ...terms, billingInterval: 'one_time', ...start };
  }
  const known = intervalOf(sold, tier) ?? { unit: assumed.unit, count: null };
  const period = periodOf(sold, end, known, times);
  const grace = end === null ? graceOf(sold, period, times) : end.grace;
  const { unit, count } = withCount(known, period, sold, times);
  return {
    ...terms,
    ...(isOverdue(sold, end, period, times) && status === sold.standing && { status: 'past_due' }),
    billingInterval: unit,
    ...(count !== 1 && { billingIntervalCount: count }),
    currentPeriodStart: period.start.toISOString(),
    currentPeriodEnd: period.end.toISOString(),
    ...(grace !== null && { grace }),
  };
}

/** The time that access lasts beyond a renewal that nobody paid: Gumroad ends a subscription five days after it was due. */
const overdueGrace = '5d';

/** Whether the renewal of a purchase with named charges was due when the export was made, and is not among them. */
function isOverdue({ isCharged, isCanceled }: Sold, end: SoldEnd | null, period: Period, { asOf }: Times): boolean {
  return end === null && isCharged === true && !isCanceled && period.end <= asOf;
}

/** The grace behind a period that the vendor names no end of. A trial is assumed to be as long as trials can be. */
function graceOf(sold: Sold, period: Period, times: Times): string | null {
  if (isOverdue(sold, null, period, times)) return overdueGrace;
  return sold.isCanceled || isTrialWithoutEnd(sold) ? '0s' : null;
}

/** Whether the vendor does not say when a trial ends. */
export function isTrialWithoutEnd({ standing, end, access }: Sold): boolean {
  return standing === 'trialing' && end === null && access === 'current';
}

/** The map says what the vendor does not, and counts more. */
function limitOf({ deviceLimit = null }: Sold, tier: MappedTier): number | null {
  if (tier.deviceLimit === 'unlimited') return null;
  return tier.deviceLimit ?? deviceLimit;
}

function statusOf({ access, standing, unpaidUntil = null }: Sold, { asOf }: Times): ImportStatus {
  if (access === 'current' && unpaidUntil !== null && unpaidUntil <= asOf) return 'suspended';
  return access === 'suspended' || access === 'revoked' ? access : standing;
}

/** Whether a purchase has an end, but neither the vendor nor the map has its interval. */
export function assumesInterval(sold: Sold, tier: MappedTier): boolean {
  return (sold.end !== null || sold.access === 'ended') && intervalOf(sold, tier) === null;
}

/** The vendor knows how often a purchase renews; the map says what the vendor does not. */
function intervalOf({ interval }: Sold, { billingInterval, billingIntervalCount }: MappedTier): SoldInterval | null {
  const mapped = billingInterval === undefined || billingInterval === 'one_time' ? null : billingInterval;
  if (interval === null) return mapped === null ? null : { unit: mapped, count: billingIntervalCount ?? 1 };
  const count = (billingInterval ?? interval.unit) === interval.unit ? (billingIntervalCount ?? null) : null;
  return { unit: interval.unit, count: interval.count ?? count };
}

/**
 * The end of access that has ended lies in the past, although the vendor may not say when it was. An unpaid
 * period gives no access: it ends when it was due, and the grace is the time in which the vendor tries the payment again.
 */
function endOf(
  { access, start, end, unpaidUntil = null, isRetried = false }: Sold,
  { now, asOf }: Times,
): SoldEnd | null {
  if (access === 'current' && unpaidUntil !== null && start !== null) {
    return { at: start, grace: `${Math.round((unpaidUntil.getTime() - start.getTime()) / day)}d` };
  }
  if (isRetried && end !== null) return { ...end, at: end.at < asOf ? end.at : asOf };
  if (access !== 'ended') return end;
  const latest = asOf < now ? asOf : now;
  return { at: end !== null && end.at < latest ? end.at : latest, grace: '0s' };
}

interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** The current period: one interval up to the known end, or the period in which the export was made. */
function periodOf(sold: Sold, end: SoldEnd | null, { unit, count }: SoldInterval, times: Times): Period {
  const { addInterval, asOf, now } = times;
  const start = sold.start ?? now;
  if (end === null && sold.isCharged === true)
    return { start, end: paidUntil(sold, start, { unit, count: count ?? 1 }, times) };
  if (end === null) return periodAround(asOf, start, { unit, count: count ?? 1 }, addInterval);
  const last = count === null ? start : addInterval(end.at, unit, -count);
  const later = last > start || start >= end.at ? last : start;
  return { start: later < end.at ? later : new Date(Math.max(0, end.at.getTime() - 1000)), end: end.at };
}

/** The end of the period that a charge has paid. A trial is a week or a month, which the export does not say. */
function paidUntil(sold: Sold, start: Date, { unit, count }: Interval, { addInterval }: Times): Date {
  const end = addInterval(start, unit, count);
  const trialEnd = addInterval(start, 'month', 1);
  return isTrialWithoutEnd(sold) && trialEnd < end ? trialEnd : end;
}

/** The period around an instant, of those that follow each other from the anchor on; the first for an earlier instant. */
function periodAround(at: Date, anchor: Date, { unit, count }: Interval, addInterval: AddInterval): Period {
  const first = addInterval(anchor, unit, count);
  const length = first.getTime() - anchor.getTime();
  let passed = Math.max(0, Math.floor((at.getTime() - anchor.getTime()) / length) - 2);
  const bound = (number: number): Date => addInterval(anchor, unit, count * number);
  while (bound(passed + 1) <= at) passed += 1;
  while (passed > 0 && bound(passed) > at) passed -= 1;
  return { start: bound(passed), end: bound(passed + 1) };
}

/** The interval with its count, which follows from the period if nobody says it. A trial has no interval yet. */
function withCount({ unit, count: known }: SoldInterval, period: Period, sold: Sold, { addInterval }: Times): Interval {
  if (known !== null) return { unit, count: known };
  if (sold.interval === null || sold.standing === 'trialing' || sold.access === 'ended') return { unit, count: 1 };
  const end = period.end.getTime();
  for (let count = 1; count <= maxIntervalCount; count += 1) {
    if (addInterval(period.start, unit, count).getTime() >= end - day / 2) return { unit, count };
  }
  const nearest = nearestInterval('day', Math.round((end - period.start.getTime()) / day));
  return { unit: nearest.billingInterval, count: nearest.billingIntervalCount };
}
