import * as fc from 'fast-check';
import type { AlignmentTarget } from '../../core/entitlement/alignment.ts';
import {
  billingIntervals,
  standings,
  type Entitlement,
  type Hold,
  type Subscription,
} from '../../core/entitlement/entitlement.ts';
import { nextTransition } from '../../core/entitlement/event/change-record.ts';
import { aOneTimePurchase, aSubscription, later } from './builders.ts';

/** The milliseconds after noon in which everything happens to a random entitlement. */
export const span = 60;

const holds = fc.constantFrom<Hold>(
  { kind: 'none' },
  { kind: 'suspended' },
  { kind: 'suspended', causes: ['payment'] },
  { kind: 'suspended', causes: ['operator', 'payment'] },
  { kind: 'revoked', at: later(7) },
);

export const subscriptions: fc.Arbitrary<Subscription> = fc
  .record({
    end: fc.integer({ min: 0, max: 40 }),
    grace: fc.integer({ min: 0, max: 19 }),
    standing: fc.constantFrom(...standings),
    hold: holds,
    cancelAt: fc.constantFrom('never' as const, 'period' as const, 'grace' as const),
    unpaidUntil: fc.option(fc.integer({ min: -5, max: span }).map(later)),
  })
  .map(({ end, grace, standing, hold, cancelAt, unpaidUntil }) => {
    const period = { currentPeriodEnd: later(end), graceUntil: later(end + grace) };
    const at = cancelAt === 'period' ? period.currentPeriodEnd : period.graceUntil;
    const cancellation = cancelAt === 'never' ? null : { at, requestedAt: later(-1) };
    return aSubscription({ ...period, standing, hold, cancellation, unpaidUntil, updatedAt: later(-1) });
  });

const purchases = fc
  .record({
    standing: fc.constantFrom(...standings),
    hold: holds,
    accessEndsAt: fc.option(fc.integer({ min: 0, max: span }).map(later)),
  })
  .map((members) => aOneTimePurchase({ ...members, updatedAt: later(-1) }));

export const entitlements: fc.Arbitrary<Entitlement> = fc.oneof({ weight: 5, arbitrary: subscriptions }, purchases);

export const instants = fc.integer({ min: -5, max: span + 5 }).map(later);

/** The target that a built subscription has reached already. */
export function aTarget(overrides: Partial<AlignmentTarget> = {}): AlignmentTarget {
  const { tierId, tierName, standing, ...terms } = aSubscription();
  const { billingInterval, billingIntervalCount, currentPeriodStart, currentPeriodEnd } = terms;
  return {
    tier: { tierId, tierName },
    deviceLimit: null,
    interval: { billingInterval, billingIntervalCount },
    currentPeriodStart,
    currentPeriodEnd,
    standing,
    isSuspended: false,
    unpaidUntil: null,
    cancellation: { kind: 'none' },
    endedAt: null,
    ...overrides,
  };
}

const ends = fc.integer({ min: -5, max: span + 20 }).map(later);

const cancellations = fc.oneof(
  fc.constantFrom({ kind: 'none' } as const, { kind: 'keep' } as const),
  ends.map((at) => ({ kind: 'at', at, requestedAt: null }) as const),
);

/** Targets for the subscriptions above, about one in six of them ended. */
export const targets: fc.Arbitrary<AlignmentTarget> = fc
  .record({
    tier: fc.constantFrom(null, { tierId: 'pro', tierName: 'Pro' }, { tierId: 'team', tierName: 'Team' }),
    deviceLimit: fc.constantFrom(null, 3, 10_000),
    interval: fc.record({
      billingInterval: fc.constantFrom(...billingIntervals),
      billingIntervalCount: fc.integer({ min: 1, max: 3 }),
    }),
    start: fc.constantFrom(aSubscription().currentPeriodStart, later(-9)),
    end: ends,
    standing: fc.constantFrom(...standings),
    isSuspended: fc.boolean(),
    unpaidUntil: fc.option(ends),
    cancellation: cancellations,
    endedAt: fc.option(ends, { freq: 6 }),
  })
  .map(({ start, end, ...target }) => ({
    ...target,
    currentPeriodStart: start,
    currentPeriodEnd: end,
  }));

/** An entitlement whose events are complete up to an instant. */
export function recordedUntil<Kind extends Entitlement>(entitlement: Kind, instant: Date, sequence = 0): Kind {
  return { ...entitlement, sequence, nextEventAt: nextTransition(entitlement, instant) };
}

/** Counts up, so that ids are as reproducible as the rest. */
export function countingIds(): () => string {
  let last = 0;
  return () => `evt_${(last += 1)}`;
}
