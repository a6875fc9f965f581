import { expect } from 'chai';
import { addInterval } from '../../../../adapters/calendar/utc-calendar.ts';
import { extensionsOf, isFarAhead } from '../../../../core/entitlement/administration/extension.ts';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import { aOneTimePurchase, aSubscription } from '../../../support/builders.ts';

const now = new Date('2026-07-18T12:00:00Z');

type Case = readonly [interval: 'day' | 'week' | 'month' | 'year', count: number, end: string, isFar: boolean];

/** Of a period that ends on 31 August 2026. */
const cases: readonly Case[] = [
  ['month', 1, '2026-09-30', false],
  ['month', 1, '2026-12-01', false],
  ['month', 1, '2026-12-03', true],
  ['month', 3, '2027-05-31', false],
  ['month', 3, '2027-07-01', true],
  ['week', 1, '2026-12-01', false],
  ['week', 1, '2026-12-03', true],
  ['week', 6, '2027-01-04', false],
  ['week', 6, '2027-01-05', true],
  ['day', 1, '2026-12-02', false],
  ['day', 1, '2026-12-03', true],
  ['year', 1, '2029-08-31', false],
  ['year', 1, '2029-09-04', true],
  ['year', 1, '2726-08-31', true],
];

describe('an extension', () => {
  for (const [billingInterval, billingIntervalCount, end, isFar] of cases) {
    it(`of ${billingIntervalCount} ${billingInterval} to ${end} is ${isFar ? '' : 'not '}more than three periods and three months`, () => {
      const currentPeriodEnd = new Date('2026-08-31T00:00:00Z');
      const entitlement = aSubscription({ billingInterval, billingIntervalCount, currentPeriodEnd });
      expect(isFarAhead(new Date(`${end}T00:00:00Z`), snapshotAt(entitlement, now), now)).to.equal(isFar);
    });
  }

  it('of a period that ended long ago is counted from now', () => {
    const currentPeriodEnd = new Date('2020-01-31T00:00:00Z');
    const entitlement = snapshotAt(aSubscription({ currentPeriodEnd, graceUntil: currentPeriodEnd }), now);
    expect(isFarAhead(new Date('2026-10-18T00:00:00Z'), entitlement, now)).to.equal(false);
    expect(isFarAhead(new Date('2026-11-18T00:00:00Z'), entitlement, now)).to.equal(true);
  });

  it('of a purchase is far from three months on', () => {
    const end = new Date('2026-08-31T00:00:00Z');
    const purchase = snapshotAt(aOneTimePurchase({ accessEndsAt: end }), now);
    expect(isFarAhead(new Date('2026-12-02T00:00:00Z'), purchase, now)).to.equal(false);
    expect(isFarAhead(new Date('2026-12-03T00:00:00Z'), purchase, now)).to.equal(true);
  });

  it('is by seven days, by a month, or by a period that is no month, from the present end', () => {
    const end = new Date('2027-01-31T10:00:00Z');
    const from = end.toISOString();
    const days = { from, '7d': new Date('2027-02-07T10:00:00Z'), '1m': new Date('2027-02-28T10:00:00Z') };
    expect(endsOf(aSubscription({ currentPeriodEnd: end }))).to.deep.equal(days);
    expect(endsOf(aSubscription({ billingInterval: 'year', currentPeriodEnd: end }))).to.deep.equal({
      ...days,
      period: new Date('2028-01-31T10:00:00Z'),
    });
    const quarters = { billingInterval: 'month', billingIntervalCount: 3, currentPeriodEnd: end } as const;
    expect(endsOf(aSubscription(quarters))).to.deep.equal({ ...days, period: new Date('2027-04-30T10:00:00Z') });
    expect(endsOf(aOneTimePurchase({ accessEndsAt: end }))).to.deep.equal(days);
    expect(endsOf(aOneTimePurchase())).to.equal(null);
  });

  it('keeps the anchor day of the present end, and counts from now once that has passed, or from what was shown', () => {
    const anchored = aSubscription({ currentPeriodEnd: new Date('2027-02-28T10:00:00Z'), anchorDay: 31 });
    expect(endsOf(anchored)).to.have.property('1m').that.deep.equals(new Date('2027-03-31T10:00:00Z'));
    const past = aSubscription({ currentPeriodEnd: new Date('2026-07-01T00:00:00Z'), anchorDay: 31 });
    expect(endsOf(past)).to.include({ from: now.toISOString() });
    expect(endsOf(past)).to.have.property('1m').that.deep.equals(new Date('2026-08-18T12:00:00Z'));
    expect(endsOf(past, '2026-07-20T00:00:00Z'))
      .to.have.property('7d')
      .that.deep.equals(new Date('2026-07-27T00:00:00Z'));
  });
});

function endsOf(entitlement: Entitlement, from: string | null = null): object | null {
  const found = extensionsOf(entitlement, from === null ? null : new Date(from), now, addInterval);
  return found && { from: found.from.toISOString(), ...Object.fromEntries(found.ends) };
}
