import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { MongoSales } from '../../../../adapters/mongo/affiliate/mongo-sales.ts';
import { MongoStatements } from '../../../../adapters/mongo/affiliate/mongo-statements.ts';
import {
  fromSaleDocument,
  toSaleDocument,
  type SaleDocument,
} from '../../../../adapters/mongo/affiliate/sale-document.ts';
import { MongoArchive } from '../../../../adapters/mongo/copy/mongo-archive.ts';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { withPayments } from '../../../../core/affiliate/sale/decide-sale.ts';
import type { Chain, Sale } from '../../../../core/affiliate/sale/sale.ts';
import { decideClosing, withLine } from '../../../../core/affiliate/statement/decide-statement.ts';
import { endOfMonth } from '../../../../core/affiliate/statement/month.ts';
import { statementEvent } from '../../../../core/affiliate/statement/statement-event.ts';
import type { ClosedStatement } from '../../../../core/affiliate/statement/statement.ts';
import type { Call } from '../../../../core/call.ts';
import { aPayment, aSale } from '../../../support/affiliates/builders.ts';
import { aCall, day, later } from '../../../support/builders.ts';
import { openOwnDatabase } from '../../../support/mongo/mongodb.ts';
import { range } from '../../../support/range.ts';
import { thrownBy } from '../../../support/thrown.ts';

const ada: Chain = { productId: 'prod_1', handle: 'ada', currency: 'usd' };

/** A new call for each use, because its deadline begins with it. */
const call = (): Call => aCall({ now: new Date('2026-12-05T10:00:00Z') });

const count = 450;
const sales = range(count).map((n) =>
  aSale({ entitlementId: `sub_${n}`, payments: [aPayment()], confirmedAt: later(100 * day) }),
);

/** The writes of one `add`: the statement, three batches of lines, and that they are in the sales. */
const writesOfAdd = 5;

/** A database whose process dies at a write: before it is sent, or once it was applied. */
function dying(database: MongoDatabase, nth: number, when: 'before' | 'after'): MongoDatabase {
  let writes = 0;
  return new Proxy(database, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== 'writeOnce' && name !== 'write') return member.bind(target);
      return async (...parameters: unknown[]) => {
        writes += 1;
        if (writes > nth || (writes === nth && when === 'before')) throw new Error('killed');
        const result: unknown = await Reflect.apply(member, target, parameters);
        if (writes === nth) throw new Error('killed');
        return result;
      };
    },
  });
}

async function nextOf(database: MongoDatabase, month: string): Promise<ClosedStatement | null> {
  const last = await new MongoStatements(database, () => {}).last(ada, call());
  const found = await new MongoSales(database, () => undefined).withLines(ada, endOfMonth(month), null, 1000, call());
  const closing = decideClosing({ chain: ada, last, sales: found }, month, call(), digest);
  return closing.kind === 'closed' ? closing : null;
}

const add = (database: MongoDatabase, closed: ClosedStatement): Promise<unknown> =>
  new MongoStatements(database, () => {}).add(
    closed,
    statementEvent(closed.statement, call(), () => 'evt_1'),
    call(),
  );

describe('lines of a statement that a process has left', () => {
  let database: MongoDatabase;

  beforeEach(async () => {
    database = await openOwnDatabase();
    await saleDocuments().insertMany(sales.map(toSaleDocument));
  });
  afterEach(() => database.close());

  const saleDocuments = () => database.collection<SaleDocument>('sales');
  const stored = async (): Promise<readonly Sale[]> => {
    const byId = new Map((await saleDocuments().find().toArray()).map((found) => [found._id, fromSaleDocument(found)]));
    return sales.map(({ entitlementId }) => byId.get(entitlementId) ?? expect.fail());
  };
  const unapplied = (): Promise<number> => database.collection('statements').countDocuments({ applied: false });

  for (const nth of range(writesOfAdd).map((n) => n + 1)) {
    for (const when of ['before', 'after'] as const) {
      it(`are brought into the sales by who closes next, if it dies ${when} write ${nth}`, async () => {
        const first = await nextOf(database, '2026-11');
        if (first === null) throw new Error('there is nothing to close');
        await thrownBy(add(dying(database, nth, when), first));
        const isStored = nth > 1 || when === 'after';
        const second = await nextOf(database, '2026-11');
        expect(second).to.deep.equal(isStored ? null : first);
        if (second !== null) expect(await add(database, second)).to.deep.equal({ kind: 'added' });
        const { statement } = first;
        expect(await stored()).to.deep.equal(sales.map((sale) => withLine(sale, { to: 270 }, statement)));
        expect(await unapplied()).to.equal(0);
        expect(await add(database, first)).to.deep.equal({ kind: 'taken' });
      });
    }
  }

  it('are brought in beside a look, and by a process that comes late only where no later line is', async () => {
    const first = await nextOf(database, '2026-11');
    if (first === null) throw new Error('there is nothing to close');
    await thrownBy(add(dying(database, 1, 'after'), first));
    const [sale] = sales;
    if (sale === undefined) throw new Error('there is no sale');
    const looked = withPayments(sale, [aPayment({ kept: 0 })], later(101 * day));
    await new MongoSales(database, () => undefined).replace(sale, looked, null, call());
    const second = await nextOf(database, '2026-12');
    expect(second?.lines).to.deep.equal([{ sale: sale.id, from: 270, to: 0 }]);
    if (second !== null) await add(database, second);
    // The process of the first one goes on.
    await database.collection('statements').updateOne({ number: 1 }, { $set: { applied: false } });
    await new MongoArchive(database).moveEvents(call());
    expect(await unapplied()).to.equal(0);
    expect((await stored())[0]).to.deep.include({ stated: 0, statements: 2, payments: looked.payments });
  });

  it('are brought in before a store is copied', async () => {
    const first = await nextOf(database, '2026-11');
    if (first === null) throw new Error('there is nothing to close');
    await thrownBy(add(dying(database, 2, 'after'), first));
    const archive = new MongoArchive(database);
    while (!(await archive.moveEvents(call())));
    expect((await stored()).every(({ stated }) => stated === 270)).to.equal(true);
    const [entry] = await archive.page('statements', '', call());
    expect(entry).to.deep.equal({
      section: 'statements',
      id: first.statement.id,
      value: { statement: first.statement, lines: first.lines },
    });
  });
});
