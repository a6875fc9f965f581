import { expect } from 'chai';
import * as fc from 'fast-check';
import { addInterval } from '../../../../adapters/calendar/utc-calendar.ts';
import {
  commissionOf,
  counted,
  dueAt,
  lineAt,
  lineDueAt,
  lookDueAt,
  monthsAfter,
  netOf,
  shareOf,
} from '../../../../core/affiliate/sale/commission.ts';
import type { CommissionFor } from '../../../../core/catalog/page-members.ts';
import { anySale, aPayment, aSale, inStatement, thirty } from '../../../support/affiliates/builders.ts';
import { day, later, noon } from '../../../support/builders.ts';
import { rounds } from '../../../support/run/long-runs.ts';

const numRuns = rounds(300, 20_000);
const daysLater = (days: number): Date => later(days * day);

describe('a commission', () => {
  it('is rounded down to whole minor units, after the tax', () => {
    expect(netOf(1190, 1000, 1190)).to.equal(1000);
    expect(netOf(595, 1000, 1190)).to.equal(500);
    expect(netOf(10, 1000, 1077)).to.equal(9);
    expect([netOf(0, 0, 0), netOf(5, 0, 5), netOf(5, 5, 0)]).to.deep.equal([0, 0, 0]);
    expect(shareOf(999, { commissionPercent: 3333 })).to.equal(332);
    expect(shareOf(2 ** 53 - 1, { commissionPercent: 10_000 })).to.equal(2 ** 53 - 1);
    expect(netOf(2 ** 53 - 1, 2 ** 53 - 1, 2 ** 53 - 1)).to.equal(2 ** 53 - 1);
  });

  it('is never more than was paid, and never less by a whole unit', () => {
    const amount = fc.integer({ min: 0, max: 2 ** 46 });
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (kept, commissionPercent) => {
        const exact = BigInt(kept) * BigInt(commissionPercent);
        const share = BigInt(shareOf(kept, { commissionPercent })) * 10_000n;
        expect(share <= exact && exact - share < 10_000n).to.equal(true);
      }),
      { numRuns },
    );
  });

  it('counts months by the UTC calendar', () => {
    expect(monthsAfter(new Date('2026-01-31T10:00:00Z'), 1)).to.deep.equal(new Date('2026-02-28T10:00:00Z'));
    const start = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(start, fc.integer({ min: 1, max: 120 }), (from, count) => {
        expect(monthsAfter(from, count)).to.deep.equal(addInterval(from, 'month', count));
      }),
      { numRuns },
    );
  });

  it('is of the first payment, of those of some months, or of all', () => {
    const payments = [
      aPayment({ id: 'ch_3', paidAt: new Date('2026-09-18T12:00:00Z') }),
      aPayment({ id: 'ch_2', paidAt: new Date('2026-08-18T12:00:00Z') }),
      aPayment({ id: 'ch_b', paidAt: noon, kept: 0 }),
      aPayment({ id: 'ch_c', paidAt: noon }),
      aPayment({ id: 'ch_a', paidAt: noon, amount: 0 }),
    ];
    const idsFor = (commissionFor: CommissionFor): readonly string[] =>
      counted({ payments, terms: { ...thirty, commissionFor } }).map(({ id }) => id);
    expect(idsFor('first_payment')).to.deep.equal(['ch_b']);
    expect(idsFor(1)).to.deep.equal(['ch_b', 'ch_c']);
    expect(idsFor(2)).to.deep.equal(['ch_b', 'ch_c', 'ch_2']);
    expect(idsFor('lifetime')).to.deep.equal(['ch_b', 'ch_c', 'ch_2', 'ch_3']);
  });

  it('is due once its hold has ended and a look has confirmed it', () => {
    const sale = aSale({ payments: [aPayment({ amount: 1000, kept: 1000 })] });
    expect(dueAt(sale, daysLater(400))).to.equal(0);
    expect([lookDueAt(sale), lineDueAt(sale)]).to.deep.equal([daysLater(30), null]);
    const confirmed = { ...sale, confirmedAt: daysLater(31) };
    expect(dueAt(confirmed, later(30 * day - 1))).to.equal(0);
    expect(dueAt(confirmed, daysLater(30))).to.equal(300);
    expect([lookDueAt(confirmed), lineDueAt(confirmed)]).to.deep.equal([null, daysLater(30)]);
    const byOthers = { ...sale, confirmedAt: null };
    expect([lookDueAt(byOthers), dueAt(byOthers, daysLater(30))]).to.deep.equal([null, 300]);
  });

  it('that was stated is taken back when the money goes back, and when the sale is void', () => {
    const stated = { confirmedAt: daysLater(31), ...inStatement(270, daysLater(31)) };
    const sale = aSale({ payments: [aPayment()], ...stated });
    expect([lineAt(sale, daysLater(31)), lineDueAt(sale)]).to.deep.equal([0, null]);
    const back = { ...sale, payments: [aPayment({ kept: 450 })] };
    expect([lineAt(back, daysLater(31)), lineDueAt(back)]).to.deep.equal([-135, daysLater(31)]);
    const ended = { ...sale, voided: { at: noon, by: 'operator:opk_1', reason: 'own_purchase' } as const };
    expect([lineAt(ended, daysLater(31)), lineDueAt(ended)]).to.deep.equal([-270, daysLater(31)]);
    expect([lookDueAt(ended), commissionOf(ended)]).to.deep.equal([null, 0]);
  });

  it('is the sum of the shares whose hold has ended, and never decreases by waiting', () => {
    fc.assert(
      fc.property(anySale, fc.nat(500), fc.nat(100), (sale, days, more) => {
        const at = daysLater(days);
        const isDue = (paidAt: Date): boolean => {
          const end = paidAt.getTime() + sale.terms.holdDays * day;
          return end <= at.getTime() && (sale.confirmedAt === null || end <= sale.confirmedAt.getTime());
        };
        const shares = counted(sale).map(({ paidAt, kept }) => (isDue(paidAt) ? shareOf(kept, sale.terms) : 0));
        const sum = sale.voided === null ? shares.reduce((all, share) => all + share, 0) : 0;
        expect(dueAt(sale, at)).to.equal(sum);
        expect(dueAt(sale, daysLater(days + more))).to.be.within(sum, commissionOf(sale));
      }),
      { numRuns },
    );
  });

  it('has a line from the instant on that is said, and none between the last statement and then', () => {
    fc.assert(
      fc.property(anySale, fc.nat(500), (sale, days) => {
        const from = lineDueAt(sale);
        const start = sale.statedUntil ?? new Date(0);
        const at = new Date(Math.max(start.getTime(), daysLater(days).getTime()));
        if (from === null || at < from) expect(lineAt(sale, at)).to.equal(0);
        if (from !== null) expect([lineAt(sale, from) !== 0, from >= start]).to.deep.equal([true, true]);
      }),
      { numRuns },
    );
  });

  it('that nobody has to confirm any more has no hold that ends later', () => {
    fc.assert(
      fc.property(anySale, (sale) => {
        let confirmed = sale;
        let looks = 0;
        for (let at = lookDueAt(confirmed); at !== null; at = lookDueAt(confirmed)) {
          expect(at.getTime()).to.be.greaterThan(confirmed.confirmedAt?.getTime() ?? Infinity);
          confirmed = { ...confirmed, confirmedAt: at };
          looks += 1;
        }
        expect(looks).to.be.at.most(sale.payments.length);
        expect(dueAt(confirmed, daysLater(1000))).to.equal(commissionOf(sale));
      }),
      { numRuns },
    );
  });
});
