import * as fc from 'fast-check';
import { standings, type Entitlement, type Hold } from '../../core/entitlement/entitlement.ts';
import { nextTransition } from '../../core/entitlement/event/change-record.ts';
import { aOneTimePurchase, aSubscription, later } from './builders.ts';

/** The milliseconds after noon in which everything happens to a random entitlement. */
export const span = 60;

const holds = fc.constantFrom<Hold>({ kind: 'none' }, { kind: 'suspended' }, { kind: 'revoked', at: later(7) });

const subscriptions = fc
  .record({
    end: fc.integer({ min: 0, max: 40 }),
    grace: fc.integer({ min: 0, max: 19 }),
    standing: fc.constantFrom(...standings),
    hold: holds,
    cancelAt: fc.constantFrom('never' as const, 'period' as const, 'grace' as const),
  })
  .map(({ end, grace, standing, hold, cancelAt }): Entitlement => {
    const period = { currentPeriodEnd: later(end), graceUntil: later(end + grace) };
    const at = cancelAt === 'period' ? period.currentPeriodEnd : period.graceUntil;
    const cancellation = cancelAt === 'never' ? null : { at, requestedAt: later(-1) };
    return aSubscription({ ...period, standing, hold, cancellation, updatedAt: later(-1) });
  });

const purchases = fc
  .record({ standing: fc.constantFrom(...standings), hold: holds })
  .map((members): Entitlement => aOneTimePurchase(members));

export const entitlements: fc.Arbitrary<Entitlement> = fc.oneof({ weight: 9, arbitrary: subscriptions }, purchases);

export const instants = fc.integer({ min: -5, max: span + 5 }).map(later);

/** An entitlement whose events are complete up to an instant. */
export function recordedUntil(entitlement: Entitlement, instant: Date, sequence = 0): Entitlement {
  return { ...entitlement, sequence, nextEventAt: nextTransition(entitlement, instant) };
}

/** Counts up, so that ids are as reproducible as the rest. */
export function countingIds(): () => string {
  let last = 0;
  return () => `evt_${(last += 1)}`;
}
