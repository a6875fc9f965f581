import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import type { Sale } from '../../../core/affiliate/sale/sale.ts';
import type { ClosedStatement, Statement } from '../../../core/affiliate/statement/statement.ts';
import { checkStatements } from '../../../core/check/check-statements.ts';
import { EventFaults } from '../../../core/check/event-faults.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { addStatement, anAffiliate, aSale, aStatement } from '../../support/affiliates/builders.ts';
import { aCall } from '../../support/builders.ts';

const first = aStatement({ total: -270, balance: -270 });
const second = aStatement({ number: 2, month: '2026-12', opening: -270, total: 300, balance: 30 });

describe('the check of statements', () => {
  let data: MemoryStore;
  const ports = () => openMemoryStore(retentionFor(defaultTtl), data).ports;

  beforeEach(async () => {
    data = new MemoryStore();
    await ports().affiliates.replace(null, anAffiliate(), aCall());
    for (const statement of [first, second, aStatement({ currency: 'eur' })]) await addStatement(ports(), statement);
  });

  async function messages(): Promise<readonly string[]> {
    const faults = new EventFaults('statements');
    expect(await checkStatements(ports(), faults, () => aCall())).to.equal(data.statements.size);
    return faults.findings('fine').map(({ message }) => message);
  }
  const change = (id: string, members: Partial<Statement>, lines?: ClosedStatement['lines']): void => {
    const stored = data.statements.get(id);
    if (stored === undefined) throw new Error('there is no such statement');
    data.statements.set(id, { statement: { ...stored.statement, ...members }, lines: lines ?? stored.lines });
  };
  const saleOf = ({ id }: Statement): Sale => {
    const sale = data.sales.get(`of ${id}`);
    if (sale === undefined) throw new Error('there is no such sale');
    return sale;
  };

  it('finds nothing where they add up', async () => {
    expect(await messages()).to.deep.equal(['fine']);
  });

  it('names numbers, months, openings and balances that do not follow', async () => {
    change(second.id, { number: 3, month: '2026-11', opening: 0 });
    expect(await messages()).to.deep.equal([
      `Statement ${second.id} has the number 3, where 2 is expected.`,
      `Statement ${second.id} is of no later month than the one before it.`,
      `Statement ${second.id} begins with 0, but -270 was carried over.`,
      `Statement ${second.id} has the balance 30, which is not 300.`,
    ]);
  });

  it('names lines that do not go on, and that are not those of the statement', async () => {
    const { id: sale } = saleOf(first);
    change(second.id, {}, [
      { sale, from: 0, to: 300 },
      { sale: 'sale_none', from: 0, to: 1 },
    ]);
    expect(await messages()).to.have.members([
      `Statement ${second.id} states ${sale} from 0 on, but it ended at -270.`,
      `Statement ${second.id} has a line of sale_none, which is no sale of the affiliate for the product.`,
      `Statement ${second.id} says 1 lines and 300, but has 2 and 301.`,
      `Sale ${sale} says that -270 is stated, but its statements say 300.`,
      `Sale ${saleOf(second).id} says that 300 is stated, but its statements say 0.`,
    ]);
  });

  it('names sales that say something else, have changed hands, and affiliates who are missing', async () => {
    const sale = saleOf(second);
    data.sales.set(sale.entitlementId, { ...sale, handle: 'bob', stated: 1, statements: 0 });
    data.affiliates.delete('ada');
    expect(await messages()).to.deep.equal([
      `Statement ${second.id} has a line of ${sale.id}, which is no sale of the affiliate for the product.`,
      'Statements are of the affiliate ada, who does not exist.',
      `Sale ${sale.id} says that 1 is stated, but its statements say 300.`,
    ]);
  });

  it('leaves out what is closed meanwhile', async () => {
    const sale = aSale({ entitlementId: 'new', stated: 5, statements: 3 });
    data.sales.set('new', sale);
    expect(await messages()).to.deep.equal(['fine']);
  });
});
