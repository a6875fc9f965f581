import { expect } from 'chai';
import * as fc from 'fast-check';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { commissionOf, compareAges, dueAt, lookDueAt } from '../../../../core/affiliate/sale/commission.ts';
import {
  assignedSale,
  newSale,
  restoredSale,
  voidedSale,
  withPayments,
} from '../../../../core/affiliate/sale/decide-sale.ts';
import { maxPayments, saleId, type Payment, type Sale } from '../../../../core/affiliate/sale/sale.ts';
import { anyPayments, anySale, anyTerms, aPayment, aSale, thirty } from '../../../support/affiliates/builders.ts';
import { aCall, day, later, noon } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { rounds } from '../../../support/run/long-runs.ts';

const daysLater = (days: number): Date => later(days * day);
const ada = { handle: 'ada', slug: 'sketchpad', by: 'link', terms: thirty } as const;

describe('a sale', () => {
  it('begins without a payment, under a name that says nothing of its entitlement', () => {
    const entitlementId = 'cs_test_a1Secret';
    const id = saleId(entitlementId, digest);
    expect(id).to.match(/^sale_[\w-]{22}$/);
    const facts = { entitlementId, id, productId: 'prod_1', attributedAt: noon, currency: 'usd', confirmedAt: noon };
    expect(newSale({ ...facts, ...ada })).to.deep.equal(aSale({ entitlementId }));
  });

  it('takes what was read of its payments, in their order, and the same again as it is', () => {
    const read = [aPayment({ id: 'ch_2', paidAt: later(1) }), aPayment()];
    const taken = withPayments(aSale(), read, later(5));
    const payments = read.toReversed();
    expect(taken).to.deep.equal(aSale({ payments, confirmedAt: later(5), revision: 2 }));
    expect(withPayments(taken, read, later(9))).to.equal(taken);
    for (const change of [{ id: 'ch_9' }, { paidAt: later(2) }, { amount: 901 }, { kept: 0 }])
      expect(withPayments(taken, [aPayment({ ...read[0], ...change }), aPayment()], later(9)).revision).to.equal(3);
  });

  it('is confirmed by a reading after a hold has ended, and never for less time than before', () => {
    const sale = aSale({ payments: [aPayment()] });
    expect(withPayments(sale, sale.payments, later(30 * day - 1))).to.equal(sale);
    const confirmed = withPayments(sale, sale.payments, daysLater(30));
    expect(confirmed).to.deep.equal({ ...sale, confirmedAt: daysLater(30), revision: 2 });
    expect(withPayments(confirmed, [], daysLater(3)).confirmedAt).to.deep.equal(daysLater(30));
    const byOthers = aSale({ confirmedAt: null });
    expect(withPayments(byOthers, [aPayment()], daysLater(99)).confirmedAt).to.equal(null);
  });

  it('has its oldest 1,000 payments', () => {
    const all = range(maxPayments + 1).map((n) => aPayment({ id: `ch_${n}`, paidAt: later(n) }));
    const { payments } = withPayments(aSale(), all.toReversed(), noon);
    expect(payments).to.deep.equal(all.slice(0, maxPayments));
  });

  it('is void and restored once', () => {
    const sale = aSale();
    const call = aCall({ by: 'operator:opk_1', now: later(1) });
    const ended = voidedSale(sale, 'own_purchase', call);
    const voided = { at: later(1), by: 'operator:opk_1', reason: 'own_purchase' } as const;
    expect(ended).to.deep.equal({ ...sale, voided, revision: 2 });
    expect(voidedSale(ended, 'another', call)).to.equal(ended);
    expect(restoredSale(ended)).to.deep.equal({ ...sale, revision: 3 });
    expect(restoredSale(sale)).to.equal(sale);
  });

  it('goes to another affiliate unless a statement has a line of it', () => {
    const bob = { handle: 'bob', slug: 'sketchpad', by: 'operator', terms: thirty } as const;
    expect(assignedSale(aSale(), bob)).to.deep.equal(aSale({ ...bob, revision: 2 }));
    expect(assignedSale(aSale({ statements: 1 }), bob)).to.equal('stated');
    const own = aSale({ statements: 1 });
    expect(assignedSale(own, { ...ada, by: 'operator' })).to.equal(own);
  });

  it('is what Stripe says now, in whatever order older answers were taken', () => {
    fc.assert(
      fc.property(anySale, fc.array(anyPayments, { maxLength: 4 }), anyPayments, (sale, older, last) => {
        const taken = [...older, last].reduce((one, read) => withPayments(one, read, daysLater(900)), sale);
        expect(taken.payments).to.deep.equal(last.toSorted(compareAges));
        expect(lookDueAt(taken)).to.equal(null);
        expect(dueAt(taken, daysLater(900))).to.equal(commissionOf(taken));
      }),
      { numRuns: rounds(200, 10_000) },
    );
  });

  it('states the commission of what is kept, and nothing that went back within its hold', () => {
    const turn = fc.record({ days: fc.nat(20), back: fc.nat(7), kept: fc.nat(20_000), looks: fc.boolean() });
    const turns = fc.array(turn, { maxLength: 20 });
    fc.assert(
      fc.property(anyTerms, anyPayments, turns, (terms, payments, all) => {
        let [now, sale] = [0, aSale({ terms })];
        let there: readonly Payment[] = [];
        for (const { days, back, kept, looks } of all) {
          now += days;
          const paid = payments.filter(({ paidAt }) => paidAt <= daysLater(now));
          there = paid.map((payment) => there.find(({ id }) => id === payment.id) ?? payment);
          there = there.map((payment, index) => (index === back ? aPayment({ ...payment, kept }) : payment));
          if (looks) sale = withPayments(sale, there, daysLater(now));
          const stated = dueAt(sale, daysLater(now));
          for (const payment of there) if (payment.kept === 0 && !looks) expectUnstated(sale, payment, stated);
          sale = { ...sale, stated };
        }
        sale = withPayments(sale, there, daysLater(now + 400));
        expect(dueAt(sale, daysLater(now + 400))).to.equal(commissionOf({ ...sale, payments: there }));
      }),
      { numRuns: rounds(200, 10_000) },
    );
  });
});

/** A payment that no look has confirmed after its hold is in no statement. */
function expectUnstated(sale: Sale, { id, paidAt }: Payment, stated: number): void {
  const end = paidAt.getTime() + sale.terms.holdDays * day;
  if (sale.confirmedAt === null || end <= sale.confirmedAt.getTime()) return;
  const others = { ...sale, payments: sale.payments.map((one) => (one.id === id ? { ...one, kept: 0 } : one)) };
  expect(dueAt(others, new Date(8e15))).to.equal(stated);
}
