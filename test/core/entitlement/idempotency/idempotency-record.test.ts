import { expect } from 'chai';
import * as fc from 'fast-check';
import { decideCancellation } from '../../../../core/entitlement/cancellation.ts';
import { billingIntervals, type Hold, type Subscription } from '../../../../core/entitlement/entitlement.ts';
import { factsOf, replayedSnapshot } from '../../../../core/entitlement/idempotency/idempotency-record.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import { aLicense, aRecord, aSubscription, later } from '../../../support/builders.ts';

const holds = fc.constantFrom<Hold>({ kind: 'none' }, { kind: 'suspended' }, { kind: 'revoked', at: later(500) });
const standings = fc.constantFrom('trialing' as const, 'active' as const, 'past_due' as const);
const instant = fc.integer({ min: -1000, max: 1000 }).map(later);
const cancellations = fc.option(fc.record({ at: instant, requestedAt: instant }));

describe('replayedSnapshot', () => {
  it('is the first answer, whatever an administrator or the clock has done since', () => {
    const first = fc.record({
      standing: standings,
      hold: fc.constantFrom<Hold>({ kind: 'none' }, { kind: 'suspended' }),
    });
    const since = fc.record({
      tierId: fc.constantFrom('pro', 'team'),
      tierName: fc.constantFrom('Pro', 'Team'),
      billingInterval: fc.constantFrom(...billingIntervals),
      billingIntervalCount: fc.integer({ min: 1, max: 3 }),
      standing: standings,
      hold: holds,
      currentPeriodStart: instant,
      currentPeriodEnd: instant,
      graceUntil: instant,
      cancellation: cancellations,
      updatesUntil: fc.option(instant),
      license: fc.constantFrom(null, aLicense()),
      updatedAt: instant,
      version: fc.nat(),
      revision: fc.nat(),
    });
    const operations = fc.constantFrom('cancel' as const, 'resume' as const);
    fc.assert(
      fc.property(
        first,
        fc.boolean(),
        operations,
        fc.integer({ min: 0, max: 199 }),
        since,
        (parts, isCanceled, operation, wait, overwritten) => {
          const cancellation = isCanceled ? { at: later(200), requestedAt: later(-1) } : null;
          const seen = aSubscription({ currentPeriodEnd: later(100), graceUntil: later(200), cancellation, ...parts });
          const now = later(wait);
          const decision = decideCancellation(operation, seen, now);
          if (decision.kind === 'refused') throw new Error('it has not ended');
          const answer = snapshotAt(decision.next, now);
          const record = aRecord(seen, { operation, at: now, facts: factsOf(answer) });
          const changedSince: Subscription = { ...decision.next, ...overwritten };
          expect(replayedSnapshot(record, changedSince)).to.deep.equal(answer);
        },
      ),
    );
  });
});

describe('factsOf', () => {
  it('picks what later changes overwrite, and nothing else', () => {
    const seen = aSubscription({ cancellation: { at: later(2), requestedAt: later(1) } });
    expect(factsOf(snapshotAt(seen, later(0)))).to.deep.equal({
      status: 'active',
      currentPeriodStart: seen.currentPeriodStart,
      currentPeriodEnd: seen.currentPeriodEnd,
      cancelAt: later(2),
      canceledAt: later(1),
      updatedAt: seen.updatedAt,
      version: 1,
      tierId: 'pro',
      tierName: 'Pro',
      billingInterval: 'month',
      billingIntervalCount: 1,
      updatesUntil: null,
    });
  });
});
