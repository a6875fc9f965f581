import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { publicPartOf } from '../../../adapters/crypto/signing.ts';
import { withPayments } from '../../../core/affiliate/sale/decide-sale.ts';
import { saleEvent } from '../../../core/affiliate/sale/sale-event.ts';
import type { Chain, Sale } from '../../../core/affiliate/sale/sale.ts';
import { decideClosing, withLine } from '../../../core/affiliate/statement/decide-statement.ts';
import { endOfMonth } from '../../../core/affiliate/statement/month.ts';
import { statementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import {
  statementStates,
  stateOf,
  type ClosedStatement,
  type Statement,
} from '../../../core/affiliate/statement/statement.ts';
import {
  allStatements,
  compareStatementPlaces,
  type AddOutcome,
  type StatementFilter,
  type StatementPlace,
} from '../../../core/affiliate/statement/statements.port.ts';
import type { Call } from '../../../core/call.ts';
import { checkStore } from '../../../core/check/check-store.ts';
import { untilStored } from '../../../core/compare-and-set.ts';
import { aPayment, aSale, aStatement } from '../../support/affiliates/builders.ts';
import { aCall, aProduct, day, later, noon } from '../../support/builders.ts';
import { inCodePointOrder } from '../../support/code-points.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { countingIds } from '../../support/random-entitlements.ts';
import { range } from '../../support/range.ts';
import { logIn } from '../../support/stores/event-log.ts';
import { beside, freshStore, type OpenedStore, type OpenStore } from '../../support/stores/stores.ts';
import { thrownBy } from '../../support/thrown.ts';

const ada: Chain = { productId: 'prod_1', handle: 'ada', currency: 'usd' };
/** A new call for each use, because its deadline begins with it. */
const call = (): Call => aCall({ now: new Date('2026-12-05T10:00:00Z'), by: 'operator:opk_1', correlationId: 'c-1' });

/** A sale of which 270 are due. */
const sold = (number: number, overrides: Partial<Sale> = {}): Sale =>
  aSale({ entitlementId: `sub_${number}`, payments: [aPayment()], confirmedAt: later(100 * day), ...overrides });

/** Looks at a sale: so much of its payment is kept. */
const look = ({ entitlementId }: Sale, kept: number, opened: OpenedStore): Promise<Sale> =>
  untilStored(aCall(), async () => {
    const seen = await opened.sales.find(entitlementId, aCall());
    if (seen === null) throw new Error('the sale is gone');
    const next = withPayments(seen, [aPayment({ kept })], later(100 * day + kept));
    return (await opened.sales.replace(seen, next, null, aCall())).kind === 'stale' ? 'stale' : next;
  });

/** The events of statements in the log. Those of their sales are before them. */
async function statementsIn(opened: OpenedStore): Promise<Awaited<ReturnType<typeof logIn>>> {
  return (await logIn(opened)).filter(({ event }) => event.type !== 'sale.attributed');
}

/** The contract of `Statements`. */
export function statementsContract(open: OpenStore): void {
  describe('Statements', () => {
    const store = freshStore(open);
    let newId = countingIds();

    beforeEach(async () => {
      newId = countingIds();
      await store().products.add(aProduct({ id: 'prod_1' }), aCall());
    });

    const addSales = async (...sales: readonly Sale[]): Promise<void> => {
      for (const sale of sales) await store().sales.replace(null, sale, saleEvent(sale, call(), newId), aCall());
    };
    const add = (closed: ClosedStatement, { statements } = store()): Promise<AddOutcome> =>
      statements.add(closed, statementEvent(closed.statement, call(), newId), call());
    const stored = async (sale: Sale): Promise<Sale | null> => store().sales.find(sale.entitlementId, aCall());
    const pay = async (seen: Statement, next: Statement): Promise<string> =>
      (await store().statements.setPaid(seen, next, statementEvent(next, call(), newId), call())).kind;

    /** The statement of a month as it would be closed now. */
    async function nextOf(
      month: string,
      { statements, sales }: OpenedStore = store(),
    ): Promise<ClosedStatement | null> {
      const last = await statements.last(ada, aCall());
      const known = { chain: ada, last, sales: await sales.withLines(ada, endOfMonth(month), null, 99, aCall()) };
      const closing = decideClosing(known, month, call(), digest);
      return closing.kind === 'closed' ? closing : null;
    }

    /** Closes a month as processes do. Returns how often its statement was added. */
    async function close(month: string, opened = store()): Promise<number> {
      return untilStored(aCall(), async () => {
        const next = await nextOf(month, opened);
        if (next === null) return 0;
        return (await add(next, opened)).kind === 'added' ? 1 : 'stale';
      });
    }

    it('stores each member of a statement and its lines, for every process', async () => {
      await addSales(sold(1), sold(2, { stated: -9 }));
      const lines = [
        { sale: sold(1).id, from: 0, to: 2 ** 53 - 1 },
        { sale: sold(2).id, from: -9, to: -10 },
      ].toSorted((a, b) => (a.sale < b.sale ? -1 : 1));
      const statement = aStatement({ lineCount: 2, opening: -7, total: -1, balance: -8, by: 'operator:größe' });
      expect(await add({ statement, lines })).to.deep.equal({ kind: 'added' });
      await beside(store(), async ({ statements }) => {
        expect(await statements.find(statement.id, aCall())).to.deep.equal(statement);
        expect(await statements.last(ada, aCall())).to.deep.equal(statement);
        expect(await statements.lines(statement.id, null, 9, aCall())).to.deep.equal(lines);
      });
      expect(await store().statements.find('st_9', aCall())).to.equal(null);
      expect(await store().statements.lines('st_9', null, 9, aCall())).to.deep.equal([]);
      for (const other of [{ productId: 'prod_2' }, { handle: 'bob' }, { currency: 'jpy' }])
        expect(await store().statements.last({ ...ada, ...other }, aCall())).to.equal(null);
    });

    it('brings each line into its sale, with the event, and nothing into others', async () => {
      const [first, second, other] = [sold(1), sold(2), sold(3, { handle: 'bob' })];
      await addSales(first, second, other);
      const next = await nextOf('2026-11');
      if (next === null) throw new Error('there is nothing to close');
      expect(next.lines).to.have.length(2);
      await add(next);
      for (const sale of [first, second])
        expect(await stored(sale)).to.deep.equal(withLine(sale, { to: 270 }, next.statement));
      expect(await stored(other)).to.deep.equal(other);
      expect(await nextOf('2026-12')).to.equal(null);
      const [placed, ...others] = await statementsIn(store());
      expect(others).to.deep.equal([]);
      const { statement } = next;
      const event = {
        type: 'statement.closed',
        at: call().now,
        sequence: 1,
        by: call().by,
        correlationId: 'c-1',
      } as const;
      expect(placed?.event).to.deep.equal({ id: placed?.event.id, ...event, productId: 'prod_1', statement });
    });

    it('lists lines by the name of their sale, page by page', async () => {
      const sales = range(7).map((n) => sold(n));
      await addSales(...sales);
      const next = await nextOf('2026-11');
      if (next === null) throw new Error('there is nothing to close');
      await add(next);
      const found = [];
      for (;;) {
        const page = await store().statements.lines(next.statement.id, found.at(-1)?.sale ?? null, 3, aCall());
        found.push(...page);
        if (page.length < 3) break;
      }
      expect(found).to.deep.equal(next.lines);
      expect(found.map(({ sale }) => sale)).to.deep.equal(sales.map(({ id }) => id).toSorted());
    });

    it('closes one statement of a month if twenty close it at once, whatever is looked at meanwhile', async () => {
      const sales = range(8).map((n) => sold(n));
      await addSales(...sales);
      const added = await beside(store(), async (other) => {
        const looks = sales.map((sale, n) => look(sale, n * 100, n % 2 === 0 ? other : store()));
        const closings = range(20).map((n) => close('2026-11', n % 2 === 0 ? store() : other));
        const [closed] = await Promise.all([Promise.all(closings), Promise.all(looks)]);
        return closed;
      });
      expect(added.reduce((all, each) => all + each, 0)).to.equal(1);
      await close('2026-12');
      await close('2027-01');
      const statements = await store().statements.page({ ...allStatements, after: null, limit: 9 }, aCall());
      const total = statements.reduce((sum, each) => sum + each.total, 0);
      expect(total).to.equal(range(8).reduce((sum, n) => sum + n * 30, 0));
      for (const [n, sale] of sales.entries())
        expect(await stored(sale))
          .to.include({ stated: n * 30 })
          .and.have.deep.property('payments', [aPayment({ kept: n * 100 })]);
    });

    it('stores nothing if the number is taken, or a sale is no longer what a line says', async () => {
      await addSales(sold(1), sold(2));
      const next = await nextOf('2026-11');
      if (next === null) throw new Error('there is nothing to close');
      const [seen] = [await stored(sold(2))];
      await store().sales.replace(seen, sold(2, { handle: 'bob', revision: 2 }), null, aCall());
      expect(await add(next)).to.deep.equal({ kind: 'taken' });
      expect([await stored(sold(1)), await store().statements.last(ada, aCall())]).to.deep.equal([sold(1), null]);
      expect(await close('2026-11')).to.equal(1);
      const before = [await stored(sold(1)), await stored(sold(2))];
      expect(await add(next)).to.deep.equal({ kind: 'taken' });
      const late = { ...next, lines: [{ sale: sold(1).id, from: 0, to: 9 }] };
      expect(await add({ ...late, statement: aStatement({ number: 2, month: '2026-12' }) })).to.deep.equal({
        kind: 'taken',
      });
      expect([await stored(sold(1)), await stored(sold(2))]).to.deep.equal(before);
      expect(await statementsIn(store())).to.have.length(1);
    });

    for (const when of moments) {
      it(`stores a statement once if the write fails ${when} it takes effect and is retried`, async () => {
        await addSales(sold(1));
        const statements = failing(store().statements, { method: 'add', nth: 1, when });
        const opened = { ...store(), statements };
        expect(await thrownBy(close('2026-11', opened))).to.be.instanceOf(InjectedFault);
        expect(await close('2026-11', opened)).to.equal(when === 'before' ? 1 : 0);
        expect(await stored(sold(1))).to.deep.include({ stated: 270, statements: 1, revision: 2 });
        expect(await statementsIn(store())).to.have.length(1);
      });
    }

    it('goes on with the next number, and states what has gone back', async () => {
      const sale = sold(1);
      await addSales(sale);
      await close('2026-11');
      const seen = await stored(sale);
      if (seen === null) throw new Error('the sale is gone');
      await store().sales.replace(seen, { ...seen, payments: [aPayment({ kept: 0 })], revision: 3 }, null, aCall());
      await close('2026-12');
      expect(await store().statements.last(ada, aCall())).to.deep.include({ number: 2, total: -270, balance: -270 });
      expect(await stored(sale)).to.deep.include({ stated: 0, statements: 2, statedUntil: endOfMonth('2026-12') });
      await store().sales.replace(await stored(sale), { ...seen, ...sale, statements: 2, revision: 5 }, null, aCall());
      await close('2027-01');
      expect(await store().statements.last(ada, aCall())).to.deep.include({ number: 3, opening: -270, balance: 0 });
    });

    it('records a payment of what was seen, takes it back, and logs both', async () => {
      await addSales(sold(1));
      await close('2026-11');
      const seen = await store().statements.last(ada, aCall());
      if (seen === null) throw new Error('there is no statement');
      const paid = { ...seen, paid: { at: noon, method: 'Überweisung', reference: '7' }, revision: 2 };
      expect(await pay(paid, { ...paid, revision: 3 })).to.equal('stale');
      expect(await pay(seen, paid)).to.equal('replaced');
      expect(await pay(seen, { ...paid, paid: null })).to.equal('stale');
      expect(await store().statements.find(seen.id, aCall())).to.deep.equal(paid);
      expect(await store().statements.last(ada, aCall())).to.deep.equal(paid);
      const unpaid = { ...paid, paid: null, revision: 3 };
      expect(await pay(paid, unpaid)).to.equal('replaced');
      expect(await store().statements.find(seen.id, aCall())).to.deep.equal(unpaid);
      expect(await store().statements.lines(seen.id, null, 9, aCall())).to.have.length(1);
      const log = await statementsIn(store());
      const shown = log.map(({ event }) => ({ ...event, id: '' }));
      expect(shown).to.deep.equal([seen, paid, unpaid].map((statement) => statementEvent(statement, call(), () => '')));
      const check = checkStore(store(), digest, publicPartOf);
      const findings = await check(() => aCall());
      expect(findings.find((finding) => finding.check === 'events')?.message).to.equal(
        'All 4 events are complete and in order.',
      );
    });

    it('lists the newest month first, page by page, all or those of a product, an affiliate, a month and a state', async () => {
      const all: Statement[] = [];
      for (const [index, month] of ['2026-09', '2026-11', '2026-10'].entries()) {
        for (const productId of inCodePointOrder.slice(0, 3)) {
          for (const handle of ['bob', 'ada']) {
            const balance = [-1, 0, 1, 2][all.length % 4] ?? 0;
            const statement = aStatement({ productId, handle, number: index + 1, month, balance });
            const paid = { at: noon, method: 'sepa', reference: '1' };
            const sale = aSale({ entitlementId: `s_${all.length}`, productId, handle });
            await addSales(sale);
            await add({ statement, lines: [{ sale: sale.id, from: 0, to: 1 }] });
            const next = balance === 2 ? { ...statement, paid, revision: 2 } : statement;
            if (balance === 2) await pay(statement, next);
            all.push(next);
          }
        }
      }
      const [productId = ''] = inCodePointOrder;
      const filters: readonly Partial<StatementFilter>[] = [
        {},
        { productId },
        { handle: 'ada' },
        { month: '2026-10' },
        { productId, handle: 'bob' },
        { productId: 'prod_9' },
        ...statementStates.map((state) => ({ state })),
        { state: 'to_pay', month: '2026-11' },
      ];
      for (const some of filters) {
        const filter = { ...allStatements, ...some };
        const expected = all
          .filter((one) => some.productId === undefined || one.productId === some.productId)
          .filter((one) => some.handle === undefined || one.handle === some.handle)
          .filter((one) => some.month === undefined || one.month === some.month)
          .filter((one) => some.state === undefined || stateOf(one) === some.state)
          .toSorted(compareStatementPlaces);
        const found: Statement[] = [];
        for (let after: StatementPlace | null = null; ; after = found.at(-1) ?? null) {
          const page = await store().statements.page({ ...filter, after, limit: 4 }, aCall());
          found.push(...page);
          if (page.length < 4) break;
        }
        expect(found, JSON.stringify(some)).to.deep.equal(expected);
      }
    });
  });
}
