import { expect } from 'chai';
import { stateLine, type Stated } from '../../../../../adapters/web/console/state/state-line.ts';
import { fullSnapshotAt } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import type { Entitlement, Subscription } from '../../../../../core/entitlement/entitlement.ts';
import type { HistoryEntry, HistoryOperation } from '../../../../../core/entitlement/history-entry.ts';
import { whyOf } from '../../../../../core/entitlement/why/why.ts';
import { timelineOf } from '../../../../../core/purchase/timeline.ts';
import { anEntry, aOneTimePurchase, aSubscription } from '../../../../support/builders.ts';

const now = new Date('2026-11-24T14:02:30Z');
const yesterday = new Date('2026-11-23T14:02:00Z');
const periodEnd = new Date('2026-12-18T09:30:00Z');

function monthly(overrides: Partial<Subscription> = {}): Subscription {
  const [currentPeriodStart, graceUntil] = [new Date('2026-11-18T09:30:00Z'), new Date('2026-12-19T09:30:00Z')];
  return aSubscription({ currentPeriodStart, currentPeriodEnd: periodEnd, graceUntil, ...overrides });
}

const cancellation = { at: periodEnd, requestedAt: yesterday };
const endedPeriod = {
  currentPeriodEnd: new Date('2026-11-23T09:28:00Z'),
  graceUntil: new Date('2026-11-25T09:28:00Z'),
};
const suspended = { hold: { kind: 'suspended' } } as const;
const unpaid = { hold: { kind: 'suspended', causes: ['payment'] } } as const;
const revoked = { hold: { kind: 'revoked', at: new Date('2026-11-22T12:00:00Z') } } as const;

type Case = readonly [what: string, entitlement: Entitlement, line: string, operation?: HistoryOperation];

const cases: readonly Case[] = [
  ['active', monthly(), 'Active. Renews on 18 December, in 24 days.'],
  ['trialing', monthly({ standing: 'trialing' }), 'Trial. Ends on 18 December, in 24 days, and renews then.'],
  [
    'active until another year',
    monthly({ currentPeriodEnd: new Date('2027-04-03T10:00:00Z'), graceUntil: new Date('2027-04-04T10:00:00Z') }),
    'Active. Renews on 3 April 2027, in 4 months.',
  ],
  [
    'canceled at the end of its period',
    monthly({ cancellation }),
    'Active. A cancellation is scheduled: access ends on Friday 18 December, 09:30 UTC, in 24 days.',
  ],
  [
    'a canceled trial',
    monthly({ standing: 'trialing', cancellation }),
    'Trial. A cancellation is scheduled: access ends on Friday 18 December, 09:30 UTC, in 24 days.',
  ],
  [
    'past due by the clock',
    monthly(endedPeriod),
    'Past due since 23 November, 09:28 UTC, 1 day ago. Access ends on Wednesday 25 November, 09:28 UTC, in 19 hours, unless it is renewed.',
  ],
  [
    'marked past due',
    monthly({ standing: 'past_due' }),
    'Past due since 23 November, 14:02 UTC, 1 day ago. Access ends on Saturday 19 December, 09:30 UTC, in 25 days, unless it is renewed.',
    'past_due',
  ],
  [
    'past due since nobody knows',
    monthly({ standing: 'past_due' }),
    'Past due. Access ends on Saturday 19 December, 09:30 UTC, in 25 days, unless it is renewed.',
  ],
  [
    'past due and canceled',
    monthly({ ...endedPeriod, cancellation: { ...cancellation, at: endedPeriod.graceUntil } }),
    'Past due since 23 November, 09:28 UTC, 1 day ago. A cancellation is scheduled: access ends on Wednesday 25 November, 09:28 UTC, in 19 hours.',
  ],
  [
    'suspended',
    monthly(suspended),
    'Suspended by an operator, 23 November, 14:02 UTC, 1 day ago. The buyer has no access until it is reinstated.',
    'suspended',
  ],
  [
    'suspended since nobody knows',
    monthly(suspended),
    'Suspended by an operator. The buyer has no access until it is reinstated.',
  ],
  ['suspended by an earlier release', monthly(unpaid), 'Suspended. The buyer has no access.'],
  [
    'canceled',
    monthly({ cancellation: { ...cancellation, at: new Date('2026-11-14T19:45:00Z') } }),
    'Canceled: ended on 14 November, 10 days ago. The buyer has no access.',
  ],
  [
    'expired',
    monthly({ currentPeriodEnd: new Date('2026-10-31T07:10:00Z'), graceUntil: new Date('2026-11-01T07:10:00Z') }),
    'Expired on 1 November, 3 weeks ago: it was not renewed. The buyer has no access.',
  ],
  ['revoked', monthly(revoked), 'Revoked, 22 November, 12:00 UTC, 2 days ago. The buyer has no access, for good.'],
  ['bought once', aOneTimePurchase(), 'Active. Bought once, never ends.'],
  ['a trial that was bought once', aOneTimePurchase({ standing: 'trialing' }), 'Trial. Bought once, never ends.'],
  ['a purchase past due', aOneTimePurchase({ standing: 'past_due' }), 'Past due. Bought once, never ends.'],
  [
    'a purchase for a time',
    aOneTimePurchase({ accessEndsAt: new Date('2026-12-18T09:30:00Z') }),
    'Active. Bought once. Access ends on Friday 18 December, 09:30 UTC, in 24 days.',
  ],
  [
    'a purchase whose time is over',
    aOneTimePurchase({ accessEndsAt: new Date('2026-11-01T07:10:00Z') }),
    'Expired on 1 November, 3 weeks ago: it was not renewed. The buyer has no access.',
  ],
  [
    'a suspended purchase',
    aOneTimePurchase(suspended),
    'Suspended by an operator. The buyer has no access until it is reinstated.',
  ],
  [
    'a revoked purchase',
    aOneTimePurchase(revoked),
    'Revoked, 22 November, 12:00 UTC, 2 days ago. The buyer has no access, for good.',
  ],
];

function statedBy(entitlement: Entitlement, history: readonly HistoryEntry[] = []): Stated {
  return {
    entitlement: fullSnapshotAt(entitlement, now),
    why: whyOf(entitlement, history, now),
    isSoldByStripe: false,
    timeline: timelineOf(history, [], []),
  };
}

describe('the line that says what state an entitlement is in', () => {
  for (const [what, entitlement, line, operation] of cases) {
    it(`of one that is ${what}`, () => {
      const history = operation === undefined ? [] : [anEntry(entitlement, { operation, at: yesterday })];
      const { text } = stateLine(statedBy(entitlement, history), now);
      expect(text.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')).to.equal(line);
    });
  }

  it('says since when the clock suspends', () => {
    const { text } = stateLine(statedBy(monthly({ standing: 'past_due', unpaidUntil: yesterday })), now);
    expect(text.replaceAll(/<[^>]*>/g, '')).to.equal(
      'Suspended because a payment is missing, 23 November, 14:02 UTC, 1 day ago. The buyer has no access. A payment reinstates it.',
    );
  });

  it('waits for a payment of what Stripe sells', () => {
    const { text } = stateLine({ ...statedBy(monthly(endedPeriod)), isSoldByStripe: true }, now);
    expect(text).to.match(/, unless a payment arrives\.$/);
  });

  it('has each instant for machines, too', () => {
    const { text } = stateLine(statedBy(monthly()), now);
    expect(text).to.equal(
      '<strong>Active</strong>. Renews on <time datetime="2026-12-18T09:30:00.000Z">18 December</time>, in 24 days.',
    );
  });
});
