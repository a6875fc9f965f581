import { expect } from 'chai';
import { isFarAhead } from '../../../../core/entitlement/administration/renewal.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import { aSubscription } from '../../../support/builders.ts';

const now = new Date('2026-07-18T12:00:00Z');

type Case = readonly [interval: 'day' | 'week' | 'month' | 'year', count: number, end: string, isFar: boolean];

/** Of a period that ends on 31 August 2026. */
const cases: readonly Case[] = [
  ['month', 1, '2026-09-30', false],
  ['month', 1, '2026-12-01', false],
  ['month', 1, '2026-12-03', true],
  ['month', 3, '2027-05-31', false],
  ['month', 3, '2027-07-01', true],
  ['week', 1, '2026-09-21', false],
  ['week', 1, '2026-09-22', true],
  ['day', 1, '2026-09-03', false],
  ['day', 1, '2026-09-04', true],
  ['year', 1, '2029-08-31', false],
  ['year', 1, '2029-09-04', true],
  ['year', 1, '2726-08-31', true],
];

describe('a renewal', () => {
  for (const [billingInterval, billingIntervalCount, end, isFar] of cases) {
    it(`of ${billingIntervalCount} ${billingInterval} to ${end} is ${isFar ? '' : 'not '}more than three periods`, () => {
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
});
