import { expect } from 'chai';
import { findOwnStatement, showEarnings } from '../../../../core/affiliate/closing/earnings.ts';
import { statementEvent } from '../../../../core/affiliate/statement/statement-event.ts';
import type { Statement } from '../../../../core/affiliate/statement/statement.ts';
import { aPayment, aSale, aStatement, inStatement } from '../../../support/affiliates/builders.ts';
import { aCall, aProduct, day, later, noon } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { refusalOf } from '../../../support/thrown.ts';

const now = later(40 * day);
const call = aCall({ now });
const confirmedAt = now;

describe('the earnings of an affiliate', () => {
  const store = freshStore(memory.open);
  const add = (statement: Statement) =>
    store().statements.add(
      { statement, lines: [] },
      statementEvent(statement, call, () => `evt_${statement.id}`),
      call,
    );
  const show = (after: string | null = null) => showEarnings(store())('ada', after, call);

  it('are added up by currency: what is to be paid, what no statement has, and what waits', async () => {
    const { products, sales } = store();
    await products.add(aProduct({ id: 'prod_1', name: 'Sketchpad' }), call);
    const paid = [aPayment()];
    const late = aPayment({ id: 'ch_2', paidAt: later(20 * day) });
    const latest = aPayment({ id: 'ch_3', paidAt: later(30 * day), amount: 100 });
    const back = aPayment({ id: 'ch_4', paidAt: later(35 * day), kept: 0 });
    for (const sale of [
      aSale({ entitlementId: 'sub_1', payments: [...paid, late], confirmedAt }),
      aSale({ entitlementId: 'sub_2', payments: [latest, back], confirmedAt }),
      aSale({ entitlementId: 'sub_3', payments: [aPayment({ kept: 0 })], confirmedAt, ...inStatement(70, noon) }),
      aSale({ entitlementId: 'sub_4', payments: paid, currency: 'eur', confirmedAt: noon }),
      aSale({ entitlementId: 'sub_5', currency: '' }),
      aSale({ entitlementId: 'sub_6', handle: 'bob', payments: paid, confirmedAt }),
    ]) {
      await sales.replace(null, sale, null, call);
    }
    const record = { at: noon, method: 'sepa', reference: '7' };
    for (const statement of [
      aStatement({ month: '2026-05', balance: 12_340, productId: 'prod_2' }),
      aStatement({ month: '2026-06', balance: 100, productId: 'prod_3' }),
      aStatement({ month: '2026-06', paid: record, revision: 2, productId: 'prod_4' }),
      aStatement({ month: '2026-05', balance: -700, productId: 'prod_5' }),
      aStatement({ month: '2026-06', number: 2, opening: -700, total: 160, balance: -540, productId: 'prod_5' }),
      aStatement({ month: '2026-05', balance: -300, productId: 'prod_6' }),
      aStatement({ month: '2026-06', number: 2, balance: 50, paid: record, revision: 2, productId: 'prod_6' }),
      aStatement({ month: '2026-05', balance: -100, productId: 'prod_7' }),
      aStatement({ month: '2026-06', handle: 'bob' }),
    ]) {
      await add(statement);
    }
    const { earned, sales: newest, statements, productNames, hasMoreSales } = await show();
    expect(earned).to.deep.equal([
      {
        currency: 'eur',
        toPay: { amount: 0, count: 0 },
        unstated: { due: 0, waiting: 270, waitingUntil: later(30 * day) },
        carried: 0,
      },
      {
        currency: 'usd',
        toPay: { amount: 12_440, count: 2 },
        unstated: { due: 200, waiting: 300, waitingUntil: later(60 * day) },
        carried: -640,
      },
    ]);
    expect(newest.map(({ entitlementId }) => entitlementId).toSorted()).to.deep.equal(
      range(5).map((index) => `sub_${index + 1}`),
    );
    expect([statements.items.length, statements.next, hasMoreSales]).to.deep.equal([8, null, false]);
    expect([...productNames]).to.deep.equal([['prod_1', 'Sketchpad']]);
  });

  it('have no sum of more than a hundred sales or statements to pay, and statements page by page', async () => {
    for (const index of range(100)) {
      await store().sales.replace(null, aSale({ entitlementId: `sub_${index}`, payments: [aPayment()] }), null, call);
      await add(aStatement({ productId: `prod_${index}` }));
    }
    const { earned, hasMoreSales, statements } = await show();
    expect(hasMoreSales).to.equal(false);
    expect(earned).to.deep.equal([
      {
        currency: 'usd',
        toPay: { amount: 27_000, count: 100 },
        unstated: { due: 0, waiting: 27_000, waitingUntil: later(30 * day) },
        carried: 0,
      },
    ]);
    await store().sales.replace(null, aSale({ entitlementId: 'sub_100', attributedAt: later(day) }), null, call);
    const withoutSales = await show();
    expect([withoutSales.hasMoreSales, withoutSales.sales.length, withoutSales.earned]).to.deep.equal([
      true,
      100,
      [{ currency: 'usd', toPay: { amount: 27_000, count: 100 }, unstated: null, carried: 0 }],
    ]);
    expect(withoutSales.sales[0]?.entitlementId).to.equal('sub_100');
    await add(aStatement({ productId: 'prod_100' }));
    expect((await show()).earned).to.deep.equal([]);
    const others = (await show(statements.next)).statements.items;
    const ids = new Set([...statements.items, ...others].map(({ id }) => id));
    expect([statements.items.length, others.length, ids.size]).to.deep.equal([50, 50, 100]);
    expect((await refusalOf(show('x'))).code).to.equal('invalid_parameter');
  });

  it('have no sum of more than a hundred balances that were carried over', async () => {
    await store().sales.replace(null, aSale({ payments: [aPayment()], confirmedAt }), null, call);
    for (const index of range(100)) await add(aStatement({ productId: `prod_${index}`, balance: -1 }));
    expect((await show()).earned[0]).to.include({ currency: 'usd', carried: -100 });
    await add(aStatement({ productId: 'prod_100', balance: -1 }));
    expect((await show()).earned[0]).to.include({ currency: 'usd', carried: null });
  });

  it('have the statements of one affiliate alone', async () => {
    const find = findOwnStatement(store().statements);
    const statement = aStatement();
    await add(statement);
    expect(await find('ada', statement.id, call)).to.deep.equal(statement);
    for (const [handle, id] of [
      ['bob', statement.id],
      ['ada', 'st_none'],
    ] as const) {
      expect((await refusalOf(find(handle, id, call))).code, handle).to.equal('statement_not_found');
    }
  });
});
