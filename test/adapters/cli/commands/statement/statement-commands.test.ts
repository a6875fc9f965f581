import { expect } from 'chai';
import { anAffiliate, aPayment, aSale, aStatement } from '../../../../support/affiliates/builders.ts';
import { aCall, day, later } from '../../../../support/builders.ts';
import { TestCommandLine } from '../../../../support/cli/command-line.ts';
import { range } from '../../../../support/range.ts';
import { freshStore, memory } from '../../../../support/stores/stores.ts';

/** Due in June: the commands run in July. */
const due = { payments: [aPayment({ paidAt: later(-60 * day) })], attributedAt: later(-61 * day) };

describe('latchkey statement', () => {
  const store = freshStore(memory.open);
  let cli: TestCommandLine;

  beforeEach(async () => {
    cli = new TestCommandLine(store());
    await store().affiliates.replace(null, anAffiliate({ payTo: 'PayPal' }), aCall());
    await store().sales.replace(null, aSale({ entitlementId: 'cs_1', ...due }), null, aCall());
  });

  it('closes a month until nothing is left, and prints a table', async () => {
    for (const n of range(149)) {
      const sale = aSale({ entitlementId: `sub_${n}`, handle: `h-${n}`, ...due });
      await store().sales.replace(null, sale, null, aCall());
    }
    const { stdout } = await cli.run('statement close --month 2026-06'.split(' '));
    const rows = stdout.trimEnd().split('\n');
    expect(rows).to.have.length(151);
    const ofAda = rows.find((row) => / ada /.test(row)) ?? '';
    expect(ofAda.split(/  +/)).to.deep.equal([aStatement().id, 'ada', 'prod_1', '2026-06', 'usd', '270', 'to_pay']);
    expect(await cli.run('statement close --month 2026-06'.split(' '))).to.deep.include({ stdout: 'None.\n' });
    const line = { command: 'statement close', month: '2026-06' };
    expect(cli.changes).to.deep.equal([
      { ...line, statements: 100 },
      { ...line, statements: 50 },
    ]);
  });

  it('closes one product or affiliate, and no month that is not over', async () => {
    expect(await cli.json('statement close --month 2026-06 --product other')).to.deep.equal([]);
    expect(await cli.json('statement close --month 2026-06 --affiliate bob')).to.deep.equal([]);
    const { exitCode, stderr } = await cli.run('statement close --month 2026-07'.split(' '));
    expect([exitCode, stderr]).to.deep.equal([1, 'The month is not over yet, by UTC.\n']);
    expect(await cli.json('statement close --month 2026-06 --product prod_1 --affiliate ada')).to.have.length(1);
  });

  it('shows, exports, pays and lists a statement', async () => {
    const { id } = aStatement();
    await cli.json('statement close --month 2026-06');
    expect(await cli.json(`statement show ${id}`)).to.deep.include({
      affiliate: { handle: 'ada', name: 'Ada', email: 'ada@example.com', payTo: 'PayPal' },
      balance: 270,
    });
    const sale = aSale({ entitlementId: 'cs_1' }).id;
    expect((await cli.run(['statement', 'export', id])).stdout).to.equal(
      `sale,attributed_at,slug,by,percent,from,to,amount,currency\r\n${sale},${due.attributedAt.toISOString()},sketchpad,link,30,0,270,270,usd\r\n`,
    );
    const json = (await cli.run(['statement', 'export', id, '--json'])).stdout;
    expect(json).to.match(/^\{[^\n]+\}\n$/);
    expect(JSON.parse(json)).to.deep.equal({
      sale,
      attributed_at: due.attributedAt.toISOString(),
      slug: 'sketchpad',
      by: 'link',
      percent: 30,
      from: 0,
      to: 270,
      amount: 270,
      currency: 'usd',
    });
    const none = await cli.run('statement export st_9'.split(' '));
    expect([none.exitCode, none.stdout]).to.deep.equal([1, '']);
    expect(await cli.json(`statement paid ${id} --method paypal --reference 7XK`)).to.deep.include({ state: 'paid' });
    expect(await cli.json('statement list --state paid --month 2026-06 --affiliate ada')).to.have.length(1);
    expect(await cli.json(`statement unpaid ${id}`)).to.deep.include({ state: 'to_pay' });
  });
});
