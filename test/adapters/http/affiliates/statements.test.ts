import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import { anAffiliate, aPayment, aSale, aStatement } from '../../../support/affiliates/builders.ts';
import { aCall, day, later } from '../../../support/builders.ts';
import { dataOf, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { memory } from '../../../support/stores/stores.ts';

const december = new Date('2026-12-05T10:00:00.000Z');
const { revision: _revision, ...facts } = aStatement({ lineCount: 2, total: 540, balance: 540 });
const november = { ...facts, state: 'to_pay', closedAt: december.toISOString() };
const secret = 'cs_test_a1Secret';

describe('the statements of the administration', () => {
  const admin = freshAdmin(memory);

  beforeEach(async () => {
    const { affiliates, sales } = portsIn(admin().service.container);
    await admin().put('/admin/products/prod_1', { name: 'One' });
    await affiliates.replace(null, anAffiliate({ payTo: 'PayPal, ada@ada.example' }), aCall());
    const due = { payments: [aPayment()], confirmedAt: later(100 * day) };
    for (const entitlementId of [secret, 'sub_2'])
      await sales.replace(null, aSale({ entitlementId, ...due }), null, aCall());
    admin().service.now = december;
  });

  const close = (body: object = { month: '2026-11' }) => admin().post('/admin/statements/close', body);
  const path = `/admin/statements/${november.id}`;

  it('close a month once, of all or of some', async () => {
    expect(dataOf(await close({ month: '2026-11', product: 'prod_2' }))).to.deep.equal({ closed: [], more: false });
    expect(dataOf(await close({ month: '2026-11', handle: 'bob' }))).to.deep.equal({ closed: [], more: false });
    expect(dataOf(await close())).to.deep.equal({ closed: [november], more: false });
    expect(dataOf(await close())).to.deep.equal({ closed: [], more: false });
    for (const month of ['2026-13', '11/2026', 202611, null])
      expect(outcomeOf(await close({ month })).slice(0, 2), String(month)).to.deep.equal([400, 'invalid_body']);
    expect(outcomeOf(await close({ month: '2026-12' })).slice(0, 2)).to.deep.equal([409, 'month_not_over']);
  });

  it('are listed by product, affiliate, month and state, and shown with where to pay', async () => {
    await close();
    for (const [query, found] of [
      ['', 1],
      ['?product=prod_1&handle=ada&month=2026-11&state=to_pay', 1],
      ['?state=paid', 0],
      ['?month=2026-10', 0],
    ] as const)
      expect(dataOf(await admin().get(`/admin/statements${query}`)), query).to.deep.equal([november].slice(0, found));
    const affiliate = { handle: 'ada', name: 'Ada', email: 'ada@example.com', payTo: 'PayPal, ada@ada.example' };
    expect(dataOf(await admin().get(path))).to.deep.equal({ ...november, affiliate });
  });

  it('have lines, page by page, without the id of a checkout', async () => {
    await close();
    const lines = [secret, 'sub_2']
      .map((entitlementId) => ({ sale: aSale({ entitlementId }).id, from: 0, to: 270, amount: 270 }))
      .toSorted((a, b) => (a.sale < b.sale ? -1 : 1));
    const first = await admin().get(`${path}/lines?limit=1`);
    const { next } = (first.body as { readonly meta: { readonly next: string } }).meta;
    const rest = await admin().get(`${path}/lines?after=${next}`);
    expect([dataOf(first), dataOf(rest)]).to.deep.equal([[lines[0]], [lines[1]]]);
    expect((rest.body as { readonly meta: object }).meta).to.deep.equal({ limit: 50, hasMore: false, next: null });
    const refused = await admin().get(`/admin/statements?after=${next}`);
    expect(outcomeOf(refused).slice(0, 2)).to.deep.equal([400, 'invalid_parameter']);
    for (const reply of [first, rest, await admin().get(path), await admin().get('/admin/statements')])
      expect(JSON.stringify(reply.body)).to.not.include('cs_');
  });

  it('are paid and unpaid by records, and the log has neither addresses nor accounts', async () => {
    await close();
    const payment = { method: 'PayPal', reference: '7XK ada@ada.example' };
    const paid = { ...november, state: 'paid', paid: { at: december.toISOString(), ...payment } };
    expect(dataOf(await admin().post(`${path}/paid`, payment))).to.deep.equal(paid);
    expect(dataOf(await admin().post(`${path}/paid`, payment))).to.deep.equal(paid);
    for (const wrong of [
      { ...payment, at: '2026-12-05T10:00:00.001Z' },
      { ...payment, method: ' ' },
      { ...payment, reference: 'x'.repeat(101) },
      { ...payment, reference: 'a\nb' },
      { method: 'PayPal' },
    ])
      expect(outcomeOf(await admin().post(`${path}/paid`, wrong)).slice(0, 2)).to.deep.equal([400, 'invalid_body']);
    expect(dataOf(await admin().post(`${path}/unpaid`))).to.deep.equal(november);
    const early = { ...payment, at: '2026-12-01T00:00:00Z' };
    expect(dataOf(await admin().post(`${path}/paid`, early))).to.deep.nested.include({
      'paid.at': '2026-12-01T00:00:00.000Z',
    });
    expect(JSON.stringify(admin().changes))
      .to.include('statement paid')
      .and.not.match(/7XK|PayPal|example|cs_/);
  });
});
