import { expect } from 'chai';
import * as fc from 'fast-check';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { commissionOf } from '../../../../core/affiliate/sale/commission.ts';
import { withPayments } from '../../../../core/affiliate/sale/decide-sale.ts';
import type { Chain, Sale } from '../../../../core/affiliate/sale/sale.ts';
import {
  decideClosing,
  paidStatement,
  totalOf,
  unpaidStatement,
  withLine,
  type Closing,
  type Known,
} from '../../../../core/affiliate/statement/decide-statement.ts';
import { endOfMonth } from '../../../../core/affiliate/statement/month.ts';
import {
  chainOf,
  maxLines,
  statementId,
  stateOf,
  type ClosedStatement,
} from '../../../../core/affiliate/statement/statement.ts';
import { anyPayments, anyTerms, aPayment, aSale, aStatement } from '../../../support/affiliates/builders.ts';
import { aCall, later } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { rounds } from '../../../support/run/long-runs.ts';

const ada: Chain = { productId: 'prod_1', handle: 'ada', currency: 'usd' };
const december = new Date('2026-12-05T10:00:00Z');
const call = aCall({ now: december, by: 'operator:opk_1' });
const paidAt = new Date('2026-10-10T10:00:00Z');

/** A sale of which some commission is due at the end of November 2026: 30 percent of what is kept. */
const sold = (entitlementId: string, kept: number, overrides: Partial<Sale> = {}): Sale =>
  aSale({ entitlementId, payments: [aPayment({ paidAt, amount: kept, kept })], confirmedAt: december, ...overrides });

const closing = (known: Partial<Known>, month = '2026-11'): Closing =>
  decideClosing({ chain: ada, last: null, sales: [], ...known }, month, call, digest);

const opening = (balance: number): readonly unknown[] => {
  const closed = closing({
    sales: [sold('sub_1', 1000)],
    last: aStatement({ number: 4, month: '2026-10', balance }),
  });
  if (closed.kind !== 'closed') throw new Error(closed.kind);
  const { statement } = closed;
  return [statement.number, statement.opening, statement.balance, stateOf(statement)];
};

const namesIn = (sales: readonly Sale[]): readonly string[] => {
  const closed = closing({ sales });
  return closed.kind === 'closed' ? closed.lines.map(({ sale }) => sale) : [];
};

const totalOfPayment = (paid: number): number | null => {
  const closed = closing({ sales: [sold('sub_1', 1000, { payments: [aPayment({ paidAt: new Date(paid) })] })] });
  return closed.kind === 'closed' ? closed.statement.total : null;
};

describe('a statement', () => {
  it('has a line of each sale whose due commission was not stated, by the name of the sale', () => {
    const sales = [
      sold('sub_1', 1000),
      sold('sub_2', 0, { stated: 270, statements: 1, statedUntil: endOfMonth('2026-10') }),
      sold('sub_3', 900, { stated: 270, statements: 1, statedUntil: endOfMonth('2026-10') }),
    ];
    const lines = [
      { sale: sales[0]?.id, from: 0, to: 300 },
      { sale: sales[1]?.id, from: 270, to: 0 },
    ].toSorted((a, b) => (String(a.sale) < String(b.sale) ? -1 : 1));
    const statement = aStatement({
      id: statementId({ ...ada, number: 1 }, digest),
      closedAt: december,
      lineCount: 2,
      total: 30,
      balance: 30,
    });
    expect(closing({ sales })).to.deep.equal({ kind: 'closed', statement, lines });
  });

  it('is named by its chain and number, and by nothing of a checkout', () => {
    const id = statementId({ ...ada, number: 1 }, digest);
    expect(id).to.equal(`st_${digest('prod_1\nada\nusd\n1').slice(0, 22)}`);
    const others = [{ productId: 'prod_2' }, { handle: 'bob' }, { currency: 'jpy' }, { number: 2 }];
    const ids = others.map((other) => statementId({ ...ada, number: 1, ...other }, digest));
    expect(new Set([id, ...ids]).size).to.equal(5);
  });

  it('does not exist without a line, and closes no month that its chain has closed', () => {
    expect(closing({ sales: [sold('sub_1', 0)] })).to.deep.equal({ kind: 'nothing' });
    const sales = [sold('sub_1', 900)];
    for (const month of ['2026-11', '2026-12', '2027-01'])
      expect(closing({ sales, last: aStatement({ month }) })).to.deep.equal({ kind: 'closed before' });
    expect(closing({ sales, last: aStatement({ month: '2026-10' }) }).kind).to.equal('closed');
  });

  it('has what is due by the end of the month, and what is known when it is closed', () => {
    const onTime = endOfMonth('2026-11').getTime() - 30 * 24 * 60 * 60 * 1000;
    expect([totalOfPayment(onTime), totalOfPayment(onTime + 1)]).to.deep.equal([270, null]);
  });

  it('is carried if it is below 0, and begins with what was carried', () => {
    expect(opening(900)).to.deep.equal([5, 0, 300, 'to_pay']);
    expect(opening(-100)).to.deep.equal([5, -100, 200, 'to_pay']);
    expect(opening(-300)).to.deep.equal([5, -300, 0, 'settled']);
    expect(opening(-301)).to.deep.equal([5, -301, -1, 'carried']);
  });

  it('has 10,000 lines, of the sales that no statement has had for longest, then of the oldest', () => {
    const many = range(maxLines).map((n) => sold(`old_${n}`, 100, { attributedAt: later(-n) }));
    const stated = { statements: 1, statedUntil: endOfMonth('2026-10') };
    const recent = many.map((sale) => ({ ...sale, ...stated }));
    const [next, newest] = [sold('next', 100), sold('new', 100, { attributedAt: later(1) })];
    expect(namesIn([newest, ...many]))
      .to.have.length(maxLines)
      .and.not.include(newest.id);
    expect(namesIn([...recent, newest, next]))
      .to.have.length(maxLines)
      .and.include.members([newest.id, next.id]);
  });

  it('is in its sales once, and a later one is never taken back', () => {
    const sale = sold('sub_1', 1000);
    const second = { number: 2, month: '2026-11' };
    const stated = { stated: 300, statements: 2, statedUntil: endOfMonth('2026-11') };
    const next = withLine(sale, { to: 300 }, second);
    expect(next).to.deep.equal({ ...sale, ...stated, revision: 2 });
    expect(withLine(next, { to: 300 }, second)).to.equal(next);
    expect(withLine(next, { to: 100 }, { number: 1, month: '2026-10' })).to.equal(next);
  });

  it('is paid once, unless it says otherwise, and only if something is owed', () => {
    const asked = { method: 'paypal', reference: '7XK', at: null };
    const statement = aStatement();
    const paid = paidStatement(statement, asked, call);
    if (typeof paid === 'string') throw new Error(paid);
    expect(paid).to.deep.equal(aStatement({ paid: { ...asked, at: december }, revision: 2 }));
    expect(stateOf(paid)).to.equal('paid');
    const [sameTime, otherTime] = [
      { ...asked, at: december },
      { ...asked, at: later(1) },
    ];
    expect(paidStatement(paid, asked, aCall({ now: later(9) }))).to.equal(paid);
    expect(paidStatement(paid, sameTime, call)).to.equal(paid);
    for (const other of [otherTime, { ...asked, method: 'sepa' }, { ...asked, reference: '7XL' }])
      expect(paidStatement(paid, other, call)).to.equal('paid otherwise');
    for (const balance of [0, -1])
      expect(paidStatement(aStatement({ balance }), asked, call)).to.equal('nothing to pay');
    expect(paidStatement(statement, otherTime, call))
      .to.have.nested.property('paid.at')
      .that.deep.equals(later(1));
    const unpaid = unpaidStatement(paid);
    expect(unpaid).to.deep.equal(aStatement({ revision: 3 }));
    expect(unpaidStatement(unpaid)).to.equal(unpaid);
  });

  it('adds up with those before it to the commission of what is kept, whatever is looked at and closed when', () => {
    const start = Date.UTC(2026, 5, 18, 12);
    const day = 24 * 60 * 60 * 1000;
    const anyTurn = fc.record({
      days: fc.nat(40),
      sale: fc.nat(2),
      payments: anyPayments,
      looks: fc.boolean(),
      closes: fc.boolean(),
    });
    const anyTerm = fc.array(anyTerms, { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(anyTerm, fc.array(anyTurn, { maxLength: 16 }), (terms, turns) => {
        const there = terms.map((): Sale['payments'] => []);
        let sales = terms.map((each, index) => aSale({ entitlementId: `sub_${index}`, terms: each }));
        const closed: ClosedStatement[] = [];
        const look = (now: number): void => {
          sales = sales.map((sale, index) => withPayments(sale, there[index] ?? [], new Date(now)));
        };
        const close = (month: string, now: number): void => {
          const known = { chain: ada, last: closed.at(-1)?.statement ?? null, sales };
          const next = decideClosing(known, month, aCall({ now: new Date(now) }), digest);
          if (next.kind !== 'closed') return;
          const { statement, lines } = next;
          for (const line of lines) expect(line.from).to.equal(sales.find(({ id }) => id === line.sale)?.stated);
          sales = sales.map((sale) => {
            const line = lines.find((each) => each.sale === sale.id);
            return line === undefined ? sale : withLine(sale, line, statement);
          });
          closed.push({ statement, lines });
        };
        let now = start;
        for (const { days, sale, payments, looks, closes } of turns) {
          now += days * day;
          there[sale] = payments.filter(({ paidAt: at }) => at.getTime() <= now);
          if (looks) look(now);
          if (closes) close(monthBefore(now), now);
        }
        now += 500 * day;
        look(now);
        close(monthBefore(now), now);
        expect(sum(sales.map(({ stated }) => stated))).to.equal(sum(sales.map(commissionOf)));
        const statements = closed.map(({ statement }) => statement);
        expect(sum(statements.map(({ total }) => total))).to.equal(sum(sales.map(({ stated }) => stated)));
        expect(closed.map(({ lines }) => totalOf(lines))).to.deep.equal(statements.map(({ total }) => total));
        expect(statements.map(({ number }) => number)).to.deep.equal(range(closed.length).map((n) => n + 1));
        // The amounts owed, and the balance that the last statement carries over.
        const owed = sum(statements.map(({ balance }) => Math.max(balance, 0)));
        expect(owed + Math.min(statements.at(-1)?.balance ?? 0, 0)).to.equal(sum(sales.map(({ stated }) => stated)));
        for (const statement of statements) expect(chainOf(statement)).to.deep.equal(ada);
      }),
      { numRuns: rounds(200, 10_000) },
    );
  });
});

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

function monthBefore(now: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 0)).toISOString().slice(0, 7);
}
