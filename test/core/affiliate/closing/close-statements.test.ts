import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import {
  closeStatements,
  countOpen,
  type CloseStatements,
  type MonthAsked,
} from '../../../../core/affiliate/closing/close-statements.ts';
import {
  everyLine,
  everyStatement,
  listLines,
  listStatements,
  payStatement,
  showStatement,
  unpayStatement,
  type ShownLine,
} from '../../../../core/affiliate/closing/manage-statements.ts';
import { statementCsv } from '../../../../core/affiliate/closing/statement-csv.ts';
import { neverConfirmed, type Sale } from '../../../../core/affiliate/sale/sale.ts';
import { statementEvent } from '../../../../core/affiliate/statement/statement-event.ts';
import type { Statement } from '../../../../core/affiliate/statement/statement.ts';
import { allStatements } from '../../../../core/affiliate/statement/statements.port.ts';
import { anAffiliate, aPayment, aSale, aStatement } from '../../../support/affiliates/builders.ts';
import { aCall, day, later } from '../../../support/builders.ts';
import { countingIds } from '../../../support/random-entitlements.ts';
import { range } from '../../../support/range.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { refusalOf } from '../../../support/thrown.ts';

const november: MonthAsked = { month: '2026-11', productId: null, handle: null };
const call = aCall({ now: new Date('2026-12-05T10:00:00Z'), by: 'operator:opk_1' });
const confirmed = later(100 * day);

/** A sale of which 270 are due. */
const sold = (entitlementId: string, overrides: Partial<Sale> = {}): Sale =>
  aSale({ entitlementId, payments: [aPayment()], confirmedAt: confirmed, ...overrides });

describe('the closing of a month', () => {
  const store = freshStore(memory.open);
  let newEventId = countingIds();
  let isTrusted = true;

  beforeEach(() => {
    newEventId = countingIds();
    isTrusted = true;
  });

  const close: CloseStatements = (asked, own) =>
    closeStatements({ ...store(), trustsClock: () => isTrusted, digest, newEventId })(asked, own);
  const count = (limit = 100) => countOpen(store())(november.month, limit, call);
  const add = async (...sales: readonly Sale[]): Promise<void> => {
    for (const sale of sales) await store().sales.replace(null, sale, null, call);
  };
  const closedOf = async (asked: MonthAsked, own = call): Promise<readonly unknown[]> =>
    (await close(asked, own)).closed.map(({ productId, handle, currency, number, total }) =>
      [productId, handle, currency, number, total].join(' '),
    );
  /** Lets the payment of a sale go back. */
  const giveBack = async (entitlementId: string): Promise<void> => {
    const seen = await store().sales.find(entitlementId, call);
    if (seen === null) throw new Error('there is no such sale');
    await store().sales.replace(
      seen,
      { ...seen, payments: [aPayment({ kept: 0 })], revision: seen.revision + 1 },
      null,
      call,
    );
  };

  it('makes a statement of each product, affiliate and currency that has a line, once', async () => {
    await add(sold('a'), sold('b'), sold('c', { currency: 'eur' }), sold('d', { handle: 'bob' }));
    await add(sold('e', { productId: 'prod_2' }), aSale({ entitlementId: 'f', handle: 'cyd' }));
    expect(await count()).to.deep.equal({ affiliates: 2, statements: 4, isAll: true, waiting: 0 });
    expect(await count(3)).to.deep.equal({ affiliates: 2, statements: 3, isAll: false, waiting: 0 });
    expect(await closedOf(november)).to.deep.equal([
      'prod_1 ada eur 1 270',
      'prod_1 ada usd 1 540',
      'prod_1 bob usd 1 270',
      'prod_2 ada usd 1 270',
    ]);
    expect(await close(november, call)).to.deep.equal({ closed: [], more: false });
    expect(await count()).to.deep.equal({ affiliates: 0, statements: 0, isAll: true, waiting: 0 });
  });

  it('is of one product, or of one affiliate, if that is asked', async () => {
    await add(sold('a'), sold('b', { handle: 'bob' }), sold('c', { productId: 'prod_2' }));
    expect(await closedOf({ ...november, productId: 'prod_2' })).to.deep.equal(['prod_2 ada usd 1 270']);
    expect(await closedOf({ ...november, handle: 'bob' })).to.deep.equal(['prod_1 bob usd 1 270']);
    expect(await closedOf({ ...november, handle: 'nobody' })).to.deep.equal([]);
    expect(await closedOf(november)).to.deep.equal(['prod_1 ada usd 1 270']);
  });

  it('leaves what becomes known afterwards to the next month, and is not held up by it', async () => {
    await add(sold('a'), sold('b', { handle: 'bob' }));
    await close({ ...november, handle: 'ada' }, call);
    await giveBack('a');
    await add(sold('c'));
    expect(await count()).to.deep.equal({ affiliates: 1, statements: 1, isAll: true, waiting: 0 });
    expect(await closedOf(november)).to.deep.equal(['prod_1 bob usd 1 270']);
    const next = aCall({ ...call, now: new Date('2027-01-02T00:00:00Z') });
    expect(await closedOf({ ...november, month: '2026-12' }, next)).to.deep.equal(['prod_1 ada usd 2 0']);
    expect(await closedOf({ ...november, month: '2026-10' }, next)).to.deep.equal([]);
  });

  it('counts the sales that wait for a look, which are left for a later month', async () => {
    const paid = { paidAt: new Date('2026-10-15T00:00:00Z') };
    const unconfirmed = { payments: [aPayment(paid)], confirmedAt: paid.paidAt };
    await add(sold('a'), sold('b', unconfirmed), sold('c', { confirmedAt: neverConfirmed }));
    // The hold of one ends in December, one was sold then, and one earns nothing.
    const late = new Date('2026-12-01T00:00:00Z');
    await add(sold('d', { payments: [aPayment({ paidAt: late })], confirmedAt: late }));
    await add(sold('e', { attributedAt: late, confirmedAt: neverConfirmed }));
    await add(sold('f', { ...unconfirmed, voided: { at: late, by: 'operator:opk_1', reason: 'fraud' } }));
    expect(await count()).to.deep.equal({ affiliates: 1, statements: 1, isAll: true, waiting: 2 });
    expect(await count(1)).to.include({ waiting: 1 });
    expect((await close(november, call)).closed.map(({ lineCount }) => lineCount)).to.deep.equal([1]);
    expect(await count()).to.include({ statements: 0, waiting: 2 });
  });

  it('tells a caller of some products nothing of what waits', async () => {
    await add(sold('b', { confirmedAt: neverConfirmed }));
    const limited = aCall({ ...call, products: new Set(['prod_1']) });
    expect(await countOpen(store())(november.month, 9, limited)).to.include({ statements: 0, waiting: null });
  });

  it('closes 100 statements in a call, and says that there are others', async () => {
    await add(...range(205).map((n) => sold(`sub_${n}`, { handle: `h-${n}` })));
    const sizes = [];
    for (;;) {
      const { closed, more } = await close(november, call);
      sizes.push(closed.length);
      if (!more) break;
    }
    expect(sizes).to.deep.equal([100, 100, 5]);
  });

  it('says so as well if half of its time is over', async () => {
    await add(...range(5).map((n) => sold(`sub_${n}`, { handle: `h-${n}` })));
    let left = 1000;
    // Each question takes a part of the time.
    const slow = aCall({ ...call, deadline: { remaining: () => (left -= 100) } });
    const { closed, more } = await close(november, slow);
    expect(closed).to.have.length.within(1, 4);
    expect(more).to.equal(true);
    expect((await close(november, call)).closed).to.have.length(5 - closed.length);
  });

  it('is refused for a month that is not over, and while the clock is in doubt', async () => {
    await add(sold('a'));
    const before = aCall({ ...call, now: new Date('2026-11-30T23:59:59.999Z') });
    expect((await refusalOf(close(november, before))).code).to.equal('month_not_over');
    isTrusted = false;
    expect((await refusalOf(close(november, call))).code).to.equal('clock_not_trusted');
    expect(await store().statements.page({ ...allStatements, after: null, limit: 9 }, call)).to.deep.equal([]);
  });
});

describe('the statements of affiliates', () => {
  const store = freshStore(memory.open);
  let newEventId = countingIds();

  beforeEach(async () => {
    newEventId = countingIds();
    const parts = { ...store(), trustsClock: () => true, digest, newEventId };
    for (const [index, handle] of ['ada', 'ada', 'bob'].entries())
      await store().sales.replace(null, sold(`sub_${index}`, { handle }), null, call);
    await closeStatements(parts)(november, call);
  });

  const only = async (): Promise<Statement> => {
    const found = await store().statements.last(aStatement(), call);
    if (found === null) throw new Error('there is no statement');
    return found;
  };

  it('are listed page by page, and shown with whom they are owed to', async () => {
    const list = listStatements(store().statements);
    const first = await list(allStatements, { after: null, limit: 1 }, call);
    const second = await list(allStatements, { after: first.next, limit: 1 }, call);
    expect([...first.items, ...second.items].map(({ handle }) => handle)).to.deep.equal(['ada', 'bob']);
    expect(second.next).to.equal(null);
    const { code } = await refusalOf(list({ ...allStatements, handle: 'ada' }, { after: first.next, limit: 1 }, call));
    expect(code).to.equal('invalid_parameter');
    const all = await Array.fromAsync(everyStatement(store().statements)(allStatements, () => call));
    expect(all).to.deep.equal([...first.items, ...second.items]);
    const show = showStatement(store().statements, store().affiliates);
    const statement = await only();
    expect(await show(statement.id, call)).to.deep.equal({ statement, affiliate: null });
    await store().affiliates.replace(null, anAffiliate({ payTo: 'IBAN' }), call);
    expect((await show(statement.id, call)).affiliate).to.deep.equal(anAffiliate({ payTo: 'IBAN' }));
    expect((await refusalOf(show('st_9', call))).code).to.equal('statement_not_found');
  });

  it('have lines with their sales, as pages and as CSV', async () => {
    const statement = await only();
    const list = listLines(store());
    const first = await list(statement.id, { after: null, limit: 1 }, call);
    const second = await list(statement.id, { after: first.next, limit: 1 }, call);
    const sales = [sold('sub_0'), sold('sub_1')].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const stated = (
      await store().sales.named(
        sales.map(({ id }) => id),
        call,
      )
    ).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect([...first.items, ...second.items]).to.deep.equal(
      sales.map(({ id }, index) => ({ sale: id, from: 0, to: 270, amount: 270, of: stated[index] })),
    );
    expect((await refusalOf(list('st_9', { after: null, limit: 1 }, call))).code).to.equal('statement_not_found');
    const lines = await Array.fromAsync(everyLine(store())(statement.id, () => call));
    expect(lines).to.deep.equal([...first.items, ...second.items]);
    const [line] = lines;
    if (line === undefined) throw new Error('there is no line');
    const csv = statementCsv(statement, linesOf({ ...line, to: -5, amount: -5 }, { ...line, of: null }));
    expect(await Array.fromAsync(csv)).to.deep.equal([
      'sale,attributed_at,slug,by,percent,from,to,amount,currency\r\n',
      `${line.sale},2026-07-18T12:00:00.000Z,sketchpad,link,30,0,-5,-5,usd\r\n`,
      `${line.sale},,,,,0,270,270,usd\r\n`,
    ]);
  });

  it('are paid by a record, which is taken back by another', async () => {
    const { id } = await only();
    const pay = payStatement(store().statements, newEventId);
    const unpay = unpayStatement(store().statements, newEventId);
    const asked = { method: 'sepa', reference: '7', at: null };
    expect((await unpay(id, call)).changed).to.equal(false);
    const { statement, changed } = await pay(id, asked, call);
    expect([statement.paid, changed]).to.deep.equal([{ ...asked, at: call.now }, true]);
    expect(await pay(id, asked, call)).to.deep.equal({ statement, changed: false });
    expect((await refusalOf(pay(id, { ...asked, reference: '8' }, call))).code).to.equal('statement_paid');
    const late = { ...asked, at: new Date(call.now.getTime() + 1) };
    expect((await refusalOf(pay(id, late, call))).code).to.equal('invalid_body');
    expect((await unpay(id, call)).statement.paid).to.equal(null);
    for (const change of [pay('st_9', asked, call), unpay('st_9', call)])
      expect((await refusalOf(change)).code).to.equal('statement_not_found');
    const nothing = aStatement({ number: 2, month: '2026-12', balance: -5 });
    const line = { sale: sold('sub_0').id, from: 270, to: 0 };
    const event = statementEvent(nothing, call, newEventId);
    await store().statements.add({ statement: nothing, lines: [line] }, event, call);
    expect((await refusalOf(pay(nothing.id, asked, call))).code).to.equal('nothing_to_pay');
  });
});

async function* linesOf(...lines: readonly ShownLine[]): AsyncIterable<ShownLine> {
  yield* lines;
}
