import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import type { Sale } from '../../../../core/affiliate/sale/sale.ts';
import type { Statement } from '../../../../core/affiliate/statement/statement.ts';
import { addStatement, anAffiliate, aPayment, aSale, aStatement } from '../../../support/affiliates/builders.ts';
import { aCall, day, later, noon } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { range } from '../../../support/range.ts';
import { memory } from '../../../support/stores/stores.ts';
import { textIn } from '../../../support/web/buyers.ts';
import { freshConsole, outcomeOf } from '../../../support/web/console-client.ts';
import { fieldIn, hostile } from '../../../support/web/console-pages.ts';

const list = '/console/statements';
const statement = aStatement({ month: '2026-05', total: 12_880, balance: 12_340, opening: -540, number: 2 });
const page = `${list}/${statement.id}`;
const inMay = later(-60 * day);
const unconfirmed = { confirmedAt: inMay };

describe("the console's statements", () => {
  const client = freshConsole(memory);
  const ports = () => portsIn(client().service.container);
  const says = async (path: string): Promise<string> => textIn((await client().get(path)).text);
  const stored = async (): Promise<Statement | null> => ports().statements.find(statement.id, aCall());
  /** Opens the page of a change, and sends its form. */
  async function change(path: string, fields: Readonly<Record<string, string>> = {}): Promise<readonly unknown[]> {
    const { text } = await client().get(path);
    return outcomeOf(await client().submit(path, { version: fieldIn(text, 'version'), ...fields }));
  }

  /** Stores a sale of @ada whose hold has ended in June. */
  async function sell(overrides: Partial<Sale>): Promise<void> {
    const paid = { attributedAt: inMay, payments: [aPayment({ paidAt: inMay })] };
    await ports().sales.replace(null, aSale({ ...paid, ...overrides }), null, aCall());
  }

  beforeEach(async () => {
    await ports().products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
    await ports().affiliates.replace(null, anAffiliate({ name: hostile, payTo: hostile }), aCall());
    await client().signIn();
  });

  it('say what they are for while there is none', async () => {
    expect(await says(list))
      .to.include('No statement yet')
      .and.include('latchkey statement close --month');
  });

  it('stand in a list by state, month, product and affiliate', async () => {
    const paid = { at: noon, method: 'sepa', reference: '7' };
    const others = [
      aStatement({ handle: 'bob', paid, revision: 2 }),
      aStatement({ handle: 'cyd', balance: -5, currency: 'jpy' }),
    ];
    for (const each of [statement, ...others]) await addStatement(ports(), each);
    expect(await says(list))
      .to.match(/@ada\s+prod_1\s+May 2026\s+US\$123\.40\s+To pay/)
      .and.match(/@bob\s+prod_1\s+November 2026\s+US\$2\.70\s+Paid/)
      .and.match(/@cyd\s+prod_1\s+November 2026\s+-JP¥5\s+Carried over/);
    for (const [query, handles] of [
      ['state=to_pay', ['ada']],
      ['state=paid', ['bob']],
      ['state=other', ['bob', 'cyd', 'ada']],
      ['month=2026-05', ['ada']],
      ['handle=%40BOB&product=prod_1', ['bob']],
      ['product=prod_2', []],
    ] as const) {
      const { text } = await client().get(`${list}?${query}`);
      expect(
        [...text.matchAll(/>@(\w+)<\/a>/g)].map(([, handle]) => handle),
        query,
      ).to.deep.equal(handles);
    }
  });

  it('stand on the page of the affiliate, the newest of them', async () => {
    const affiliate = '/console/affiliates/ada';
    expect(await says(affiliate)).to.match(/Statements None yet\./);
    for (const each of [statement, aStatement({ handle: 'bob', balance: 99_900 })]) await addStatement(ports(), each);
    const { text } = await client().get(affiliate);
    expect(text).to.include(`href="${page}"`).and.not.include('All statements');
    expect(textIn(text))
      .to.match(/May 2026\s+prod_1\s+1\s+US\$128\.80\s+US\$123\.40\s+To pay/)
      .and.not.include('999');
    for (const index of range(50)) await addStatement(ports(), aStatement({ productId: `prod_${index}` }));
    expect((await client().get(affiliate)).text).to.include(`href="${list}?handle=ada"`);
  });

  it('show what is owed, where to pay, and each line with its sale', async () => {
    await addStatement(ports(), statement);
    const { text } = await client().get(page);
    expect(text).to.include('&lt;script&gt;').and.not.include('<script');
    expect(textIn(text))
      .to.match(/is owed US\$123\.40/)
      .and.match(/Carried over\s+-US\$5\.40/)
      .and.match(/Since.*US\$0\.00\s+US\$128\.80\s+US\$128\.80/s);
    const file = await client().get(`${page}/lines.csv`);
    expect(file.headers['content-disposition']).to.include(`${statement.id}.csv`);
    expect(file.text).to.match(/^sale,attributed_at.*\r\nsale_[\w-]{22},.*,0,12880,12880,usd\r\n$/);
    expect((await client().get(`${list}/st_none`)).status).to.equal(404);
  });

  it('are paid by a record, which can be undone', async () => {
    await addStatement(ports(), statement);
    const payment = { method: 'PayPal', reference: '7XK', at: '' };
    expect(await change(`${page}/paid`, { ...payment, reference: ' ' })).to.deep.include(400);
    expect(await change(`${page}/paid`, payment)).to.deep.include(303);
    expect((await stored())?.paid).to.deep.equal({ at: client().service.now, method: 'PayPal', reference: '7XK' });
    expect(await says(page)).to.match(/Paid\s.*by PayPal, 7XK/s);
    expect(await change(`${page}/unpaid`)).to.deep.include(303);
    expect((await stored())?.paid).to.equal(null);
  });

  it('are closed for a month that is over, after a page that counts them', async () => {
    for (const handle of ['ada', 'bob']) await sell({ entitlementId: handle, handle });
    const unseen = ['cyd', 'dan'].map((handle) => sell({ entitlementId: handle, handle, ...unconfirmed }));
    await Promise.all(unseen);
    expect(await says(`${list}/close`))
      .to.include('Close June 2026?')
      .and.match(/2 affiliates\s+have earnings in\s+2 statements/)
      .and.match(/left for\s+the next month: 2 sales wait\./);
    const early = await client().submit(`${list}/close`, { month: '2026-07', product: '' });
    expect([early.status, textIn(early.text)])
      .to.deep.include(400)
      .and.match(/Close June 2026\?.*Month must be over, by UTC\./s);
    expect(await change(`${list}/close`, { month: '2026-06', product: 'prod_2' })).to.deep.include(303);
    expect(await ports().statements.last(aStatement(), aCall())).to.equal(null);
    expect(await change(`${list}/close`, { month: '2026-06', product: '' })).to.deep.include(303);
    expect(await ports().statements.last(aStatement(), aCall())).to.include({ month: '2026-06', total: 270 });
    expect(await says(`${list}/close?month=2026-06`))
      .to.match(/0 affiliates\s+have earnings/)
      .and.include('2 sales wait');
  });

  it('are named on the overview while a month has some to close, and while some are to be paid', async () => {
    const todo = async (): Promise<string> => {
      client().service.now = new Date(client().service.now.getTime() + 60_000);
      return says('/console');
    };
    expect(await todo()).to.not.match(/is over|to pay/);
    await sell({ entitlementId: 'ada' });
    expect(await todo()).to.include('June 2026 is over: 1 affiliate has earnings to close');
    await sell({ entitlementId: 'bob', handle: 'bob' });
    expect(await todo()).to.include('June 2026 is over: 2 affiliates have earnings to close');
    expect((await client().get('/console')).text).to.include(`href="${list}/close?month=2026-06"`);
    await change(`${list}/close`, { month: '2026-06', product: '' });
    expect(await todo())
      .to.include('2 statements to pay')
      .and.not.include('is over');
    expect((await client().get('/console')).text).to.include(`href="${list}?state=to_pay"`);
    const [first] = (await client().get(list)).text.match(/st_[\w-]{22}/) ?? [];
    await change(`${list}/${first}/paid`, { method: 'PayPal', reference: '7XK', at: '' });
    expect(await todo()).to.include('1 statement to pay');
  });

  it('are counted on the overview up to a number', async () => {
    for (const n of range(51)) await sell({ entitlementId: `sub_${n}`, handle: `h-${n}` });
    for (const n of range(101)) await addStatement(ports(), aStatement({ handle: `p-${n}` }));
    expect(await says('/console'))
      .to.include('50+ affiliates have earnings to close')
      .and.include('100+ statements to pay');
  });

  it('are not named on the overview to whoever may not see affiliates', async () => {
    await addStatement(ports(), statement);
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:read'] });
    await client().signIn(operatorKeys.reader);
    expect(await says('/console')).to.include('Nothing needs you.');
    expect(outcomeOf(await client().get(list))).to.deep.equal([403, 'insufficient_scope']);
  });
});
