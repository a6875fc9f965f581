import { expect } from 'chai';
import * as fc from 'fast-check';
import { decideAlignment, type AlignmentTarget } from '../../../core/entitlement/alignment.ts';
import { graceOf, type Entitlement, type Subscription } from '../../../core/entitlement/entitlement.ts';
import {
  clockEvents,
  decisionCall,
  nextTransition,
  recordChange,
  type RecordedChange,
} from '../../../core/entitlement/event/change-record.ts';
import { previousValues } from '../../../core/entitlement/event/entitlement-event.ts';
import { eventTypeOf } from '../../../core/entitlement/event/event-type.ts';
import type { ChangeReason } from '../../../core/entitlement/history-entry.ts';
import { snapshotAt } from '../../../core/entitlement/snapshot.ts';
import { givesAccess, hasEnded, statusAt } from '../../../core/entitlement/status.ts';
import { causesOf } from '../../../core/entitlement/suspension.ts';
import { aCall, aLicense, aOneTimePurchase, aSubscription, day, hour, later, noon } from '../../support/builders.ts';
import {
  aTarget,
  countingIds,
  instants,
  recordedUntil,
  subscriptions,
  targets,
} from '../../support/random-entitlements.ts';

const runs = { numRuns: 5000 };

/** The outcome of aligning an entitlement whose events are complete up to an instant, with its record. */
function alignedAt(seen: Entitlement, target: AlignmentTarget, at: Date): RecordedChange<Entitlement> | null {
  const call = decisionCall(seen, aCall({ now: at, by: 'stripe' }));
  const decision = decideAlignment(target, seen, call.now);
  if (decision.kind === 'refused') throw new Error(decision.code);
  if (decision.kind === 'unchanged') return null;
  return recordChange(seen, decision.next, decision, call, countingIds());
}

describe('an alignment', () => {
  const cases = fc
    .record({ entitlement: subscriptions, target: targets, until: instants, at: instants })
    .map(({ entitlement, until, ...rest }) => ({ seen: recordedUntil(entitlement, until, 3), ...rest }))
    .filter(({ seen }) => seen.hold.kind !== 'revoked');

  it('leaves what the target says, and nothing else is touched', () => {
    fc.assert(
      fc.property(cases, ({ seen, target, at }) => {
        const now = decisionCall(seen, aCall({ now: at })).now;
        const next = (alignedAt(seen, target, at)?.next ?? seen) as Subscription;
        if (target.endedAt !== null) {
          expect(hasEnded(statusAt(next, now))).to.equal(true);
          return;
        }
        expect(next).to.deep.include({
          ...(target.tier ?? { tierId: seen.tierId, tierName: seen.tierName }),
          ...target.interval,
          standing: target.standing,
          deviceLimit: target.deviceLimit ?? seen.deviceLimit,
          currentPeriodStart: target.currentPeriodStart,
          currentPeriodEnd: target.currentPeriodEnd,
          license: seen.license,
          reference: seen.reference,
        });
        expect(graceOf(next)).to.equal(graceOf(seen));
        expect(next.cancellation?.at ?? null).to.deep.equal(cancelAtOf(target, seen));
        expect(causesOf(next.hold)).to.deep.equal([
          ...(causesOf(seen.hold).includes('operator') ? ['operator'] : []),
          ...(target.isSuspended ? ['payment'] : []),
        ]);
      }),
      runs,
    );
  });

  it('gives access exactly if the target does and no operator forbids it, also after an end', () => {
    let undone = 0;
    fc.assert(
      fc.property(cases, ({ seen, target, at }) => {
        const { now } = decisionCall(seen, aCall({ now: at }));
        const next = alignedAt(seen, target, at)?.next ?? seen;
        const cancelAt = cancelAtOf(target, seen);
        const isCharged =
          target.endedAt === null &&
          (cancelAt === null || cancelAt > now) &&
          target.currentPeriodEnd.getTime() + graceOf(seen) > now.getTime();
        const isOwed = target.unpaidUntil !== null && target.unpaidUntil <= now;
        const isHeld = isOwed || target.isSuspended || causesOf(seen.hold).includes('operator');
        expect(givesAccess(statusAt(next, now))).to.equal(isCharged && !isHeld);
        if (isCharged && hasEnded(statusAt(seen, now))) undone += 1;
      }),
      runs,
    );
    expect(undone).to.be.above(100);
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(cases, fc.nat(30), ({ seen, target, at }, wait) => {
        const next = alignedAt(seen, target, at)?.next ?? seen;
        expect(alignedAt(next, target, new Date(at.getTime() + wait))).to.equal(null);
      }),
      runs,
    );
  });

  it('has one event of its own, after those of the clock, which names what has changed', () => {
    fc.assert(
      fc.property(cases, ({ seen, target, at }) => {
        const { now } = decisionCall(seen, aCall({ now: at }));
        const change = alignedAt(seen, target, at);
        if (change === null) return;
        const { next, changeRecord } = change;
        const byClock = clockEvents(seen, now, countingIds());
        expect(changeRecord.events.slice(0, -1)).to.deep.equal(byClock);
        const own = changeRecord.events.at(-1);
        const [before, after] = [snapshotAt(seen, now), snapshotAt(next, now)];
        expect(own).to.deep.include({
          type: eventTypeOf(changeRecord.entry.operation),
          at: now,
          sequence: seen.sequence + byClock.length + 1,
          by: 'stripe',
          previous: previousValues(before, after),
          entitlement: after,
        });
        expect(own?.type).to.equal(typeFor(before.status, after.status) ?? own?.type);
        expect(next).to.deep.include({ version: seen.version + 1, sequence: own?.sequence });
      }),
      runs,
    );
  });

  it('leaves the clock to make the events of the new state, and none twice', () => {
    fc.assert(
      fc.property(cases, ({ seen, target, at }) => {
        const { now } = decisionCall(seen, aCall({ now: at }));
        const next = alignedAt(seen, target, at)?.next;
        if (next === undefined) return;
        expect(next.nextEventAt).to.deep.equal(nextTransition(next, now));
        let status = statusAt(next, now);
        for (const event of clockEvents(next, later(1000), countingIds())) {
          expect(event.at > now && event.entitlement.status !== status).to.equal(true);
          status = event.entitlement.status;
        }
        expect(status).to.equal(statusAt(next, later(1000)));
      }),
      runs,
    );
  });
});

const at = (instant: Date) => ({ cancellation: { kind: 'at', at: instant, requestedAt: null } }) as const;

/** The type that the change of a status alone calls for. */
function typeFor(before: string, after: string): string | null {
  const ended = ['canceled', 'expired', 'revoked'];
  if (ended.includes(after)) return ended.includes(before) ? null : 'entitlement.ended';
  if (before === after) return null;
  if (after === 'suspended') return 'entitlement.suspended';
  if (before === 'suspended') return 'entitlement.reinstated';
  if (ended.includes(before)) return 'entitlement.renewed';
  return after === 'past_due' ? 'entitlement.past_due' : null;
}

function cancelAtOf({ cancellation }: AlignmentTarget, seen: Subscription): Date | null {
  if (cancellation.kind === 'keep') return seen.cancellation?.at ?? null;
  return cancellation.kind === 'at' ? cancellation.at : null;
}

describe('decideAlignment', () => {
  const known = aSubscription({ license: aLicense() });
  const moved = { ...known, version: 2, revision: 2, updatedAt: noon };
  const scheduled = { at: known.currentPeriodEnd, requestedAt: later(-hour) };
  const payment = { kind: 'suspended', causes: ['payment'] } as const;
  const both = { kind: 'suspended', causes: ['operator', 'payment'] } as const;
  const over = { currentPeriodStart: later(-9 * day), currentPeriodEnd: later(-2 * day), graceUntil: later(-day) };
  const nextPeriod = { currentPeriodStart: known.currentPeriodEnd, currentPeriodEnd: later(45 * day) };
  const team = { tier: { tierId: 'team', tierName: 'Team' } };
  const yearly = { interval: { billingInterval: 'year', billingIntervalCount: 1 } } as const;

  const pastDue = { standing: 'past_due' } as const;
  const owed = { ...pastDue, unpaidUntil: later(hour) };
  const quarterly = { interval: { billingInterval: 'month', billingIntervalCount: 3 } } as const;

  const rows: readonly (readonly [string, Partial<Subscription>, Partial<AlignmentTarget>, string])[] = [
    ['a new period', {}, nextPeriod, 'renewed'],
    ['a shorter period', {}, { currentPeriodEnd: later(hour) }, 'renewed'],
    ['another start', {}, { currentPeriodStart: later(-hour) }, 'renewed'],
    ['a payment with the same end', { standing: 'past_due' }, {}, 'renewed'],
    ['the end of a trial', { standing: 'trialing' }, {}, 'renewed'],
    ['a trial', {}, { standing: 'trialing' }, 'renewed'],
    ['a period that came back after its end', over, {}, 'renewed'],
    ['an end that was undone', { cancellation: { at: later(-1), requestedAt: later(-2) } }, {}, 'renewed'],
    ['an end that was moved', { cancellation: { at: later(-1), requestedAt: later(-2) } }, at(later(day)), 'renewed'],
    ['a failed payment', {}, { standing: 'past_due', ...nextPeriod }, 'past_due'],
    ['a failed payment of a suspended one', { hold: { kind: 'suspended' } }, { standing: 'past_due' }, 'past_due'],
    [
      'a failed payment in the grace',
      { currentPeriodEnd: later(0), graceUntil: later(day) },
      { standing: 'past_due', currentPeriodEnd: later(0) },
      'past_due',
    ],
    ['a period that ends in the past', {}, { currentPeriodEnd: later(-hour) }, 'past_due'],
    ['a period whose grace is over', {}, { currentPeriodEnd: later(-2 * day) }, 'ended'],
    ['a cancellation in the past', {}, at(later(-1)), 'ended'],
    ['another tier', {}, { ...team, ...nextPeriod }, 'tier_changed'],
    ['another interval', {}, yearly, 'tier_changed'],
    ['another interval count', {}, quarterly, 'tier_changed'],
    ['a failed payment for another tier', {}, { ...team, standing: 'past_due' }, 'past_due'],
    ['a cancellation', {}, at(known.currentPeriodEnd), 'cancellation_scheduled'],
    ['a cancellation beyond the period', {}, at(later(90 * day)), 'cancellation_scheduled'],
    ['a cancellation that has moved', { cancellation: scheduled }, at(later(hour)), 'cancellation_scheduled'],
    ['a cancellation that was undone', { cancellation: scheduled }, {}, 'cancellation_undone'],
    ['another limit of devices', { deviceLimit: 3 }, { deviceLimit: 6 }, 'allowance_changed'],
    ['a first limit of devices', {}, { deviceLimit: 3 }, 'allowance_changed'],
    ['another limit of a suspended one', { hold: { kind: 'suspended' } }, { deviceLimit: 6 }, 'allowance_changed'],
    ['another limit with the next period', {}, { deviceLimit: 6, ...nextPeriod }, 'renewed'],
    [
      'another limit, and a payment after the end',
      { ...over, hold: payment },
      { ...over, deviceLimit: 6 },
      'reinstated',
    ],
    ['a missing payment', {}, { isSuspended: true, ...team }, 'suspended'],
    ['a missing payment of a suspended one', { hold: { kind: 'suspended' } }, { isSuspended: true }, 'suspended'],
    ['a missing payment after the end', over, { isSuspended: true }, 'suspended'],
    ['a payment', { hold: payment }, nextPeriod, 'reinstated'],
    ['a payment of one that the operator suspends', { hold: both }, nextPeriod, 'suspended'],
    ['a payment after the end', { ...over, hold: payment }, {}, 'renewed'],
    ['a payment of one that has ended and stays so', { ...over, hold: payment }, over, 'reinstated'],
    ['a missing payment of one that has ended and stays so', over, { ...over, isSuspended: true }, 'suspended'],
    ['a bound of the access without a payment', owed, { ...pastDue, unpaidUntil: later(2 * hour) }, 'past_due'],
    ['no such bound any more', owed, pastDue, 'past_due'],
    ['such a bound that has passed', owed, { ...pastDue, unpaidUntil: later(-1) }, 'suspended'],
    ['a failed payment, and no access without it', {}, { ...pastDue, unpaidUntil: noon }, 'suspended'],
    ['a payment after such a bound', { ...owed, unpaidUntil: later(-1) }, nextPeriod, 'reinstated'],
    ['a payment before it', owed, nextPeriod, 'renewed'],
    ['retries that end after it', { ...owed, unpaidUntil: later(-1) }, { ...pastDue, isSuspended: true }, 'suspended'],
    ['such a bound of one that has ended and stays so', over, { ...over, unpaidUntil: noon }, 'suspended'],
    ['such a bound, later, of one that has ended', over, { ...over, unpaidUntil: later(1) }, 'renewed'],
    ['a failed payment of one that has ended and stays so', over, { ...over, standing: 'past_due' }, 'renewed'],
  ];
  for (const [title, members, change, operation] of rows) {
    it(`calls ${title} "${operation}"`, () => {
      const decision = decideAlignment(aTarget(change), { ...known, ...members }, noon);
      expect(decision.kind === 'changed' ? decision.operation : decision).to.equal(operation);
    });
  }

  const reasons: readonly (readonly [string, Partial<Subscription>, Partial<AlignmentTarget>, ChangeReason | null])[] =
    [
      ['of a payment that was taken back', {}, { isSuspended: true, reason: 'refunded' }, 'refunded'],
      [
        'of a payment beside the operator',
        { hold: { kind: 'suspended' } },
        { isSuspended: true, reason: 'paused' },
        'paused',
      ],
      ['that nothing is known of', {}, { isSuspended: true, reason: null }, null],
      ['of a payment that is missing for too long', owed, { ...pastDue, unpaidUntil: later(-1) }, 'unpaid'],
      [
        'of a payment that was taken back before one was missing',
        owed,
        { ...pastDue, unpaidUntil: later(-1), isSuspended: true, reason: 'disputed' },
        'disputed',
      ],
      ['of the operator who is left', { hold: both }, nextPeriod, null],
    ];
  for (const [title, members, change, reason] of reasons) {
    it(`gives the reason ${title}: ${reason}`, () => {
      const decision = decideAlignment(aTarget(change), { ...known, ...members }, noon);
      expect(decision).to.deep.include({ kind: 'changed', operation: 'suspended', reason });
    });
  }

  it('gives no reason for what is no suspension', () => {
    const target = aTarget({ ...over, isSuspended: true, reason: 'refunded', endedAt: noon });
    expect(decideAlignment(target, known, noon)).to.deep.include({ operation: 'ended', reason: null });
  });

  it('ends a subscription when its billing system did, canceled and not revoked', () => {
    const next = aligned(known, { endedAt: later(-hour), ...team, isSuspended: true });
    expect(next).to.deep.equal({ ...moved, cancellation: { at: later(-hour), requestedAt: later(-hour) } });
    expect(snapshotAt(next, noon)).to.include({ status: 'canceled', tierId: 'pro' });
  });

  it('ends one now whose end is said to be later', () => {
    expect(aligned(known, { endedAt: later(hour) }).cancellation?.at).to.deep.equal(noon);
  });

  it('ends one at once although a change of its cancellation is on its way, and keeps when that was asked for', () => {
    const next = aligned({ ...known, cancellation: scheduled }, { endedAt: noon, cancellation: { kind: 'keep' } });
    expect(next.cancellation).to.deep.equal({ at: noon, requestedAt: scheduled.requestedAt });
  });

  it('leaves one that has ended, whichever way, if it ended at its billing system too', () => {
    const revoked = { hold: { kind: 'revoked', at: later(-1) } } as const;
    for (const ended of [over, revoked, { cancellation: { at: noon, requestedAt: noon } }]) {
      const decision = decideAlignment(aTarget({ endedAt: later(-hour) }), { ...known, ...ended }, noon);
      expect(decision).to.deep.equal({ kind: 'unchanged' });
    }
  });

  it('leaves a cancellation that is on its way, in the past too', () => {
    const canceled = { ...known, cancellation: { at: later(-1), requestedAt: later(-2) } };
    const decision = decideAlignment(aTarget({ cancellation: { kind: 'keep' } }), canceled, noon);
    expect(decision).to.deep.equal({ kind: 'unchanged' });
  });

  it('remembers when a cancellation was asked for, which does not make two of them differ', () => {
    const fresh = { kind: 'at', at: scheduled.at, requestedAt: later(-5) } as const;
    const asked = { ...known, cancellation: scheduled };
    expect(aligned(known, { cancellation: fresh }).cancellation?.requestedAt).to.deep.equal(later(-5));
    expect(aligned(known, at(scheduled.at)).cancellation?.requestedAt).to.deep.equal(noon);
    expect(aligned(asked, { cancellation: { ...fresh, at: later(7) } }).cancellation).to.deep.equal({
      at: later(7),
      requestedAt: scheduled.requestedAt,
    });
    expect(decideAlignment(aTarget({ cancellation: fresh }), asked, noon)).to.deep.equal({ kind: 'unchanged' });
  });

  it('keeps the tier for a price without one', () => {
    expect(aligned(known, { tier: null, ...yearly })).to.deep.equal({ ...moved, billingInterval: 'year' });
  });

  it('refuses a purchase, and a revoked subscription that goes on', () => {
    const revoked = aSubscription({ hold: { kind: 'revoked', at: later(-1) } });
    expect(decideAlignment(aTarget(), aOneTimePurchase(), noon)).to.deep.equal({
      kind: 'refused',
      code: 'not_a_subscription',
    });
    expect(decideAlignment(aTarget(), revoked, noon)).to.deep.equal({ kind: 'refused', code: 'entitlement_revoked' });
  });
});

function aligned(seen: Subscription, target: Partial<AlignmentTarget>): Subscription {
  const decision = decideAlignment(aTarget(target), seen, noon);
  if (decision.kind !== 'changed') throw new Error(`nothing changed: ${decision.kind}`);
  return decision.next as Subscription;
}
