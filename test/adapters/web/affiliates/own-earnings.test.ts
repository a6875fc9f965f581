import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import type { Sale } from '../../../../core/affiliate/sale/sale.ts';
import {
  addStatement,
  anAffiliate,
  aPayment,
  aSale,
  aStatement,
  inStatement,
} from '../../../support/affiliates/builders.ts';
import { aPromotable, linkOfAda, servePromoted } from '../../../support/affiliates/promoted-site.ts';
import { aCall, aProduct, day, later, noon } from '../../../support/builders.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { range } from '../../../support/range.ts';
import { textIn } from '../../../support/web/buyers.ts';
import { hostile } from '../../../support/web/console-pages.ts';
import { getPage, type ReceivedPage } from '../../../support/web/page-client.ts';

function countIn(text: string, word: RegExp): number {
  return text.match(word)?.length ?? 0;
}

/** A payment whose hold has ended. */
const old = aPayment({ paidAt: later(-40 * day) });

describe("the earnings on an affiliate's own page", () => {
  let service: TestService;
  let path = '';

  beforeEach(async () => {
    service = await servePromoted({
      listings: [aPromotable()],
      affiliates: [
        anAffiliate({ payTo: 'PayPal, ada@pay.example' }),
        anAffiliate({ handle: 'bob', email: 'bob@other.example', payTo: 'IBAN of Bob' }),
      ],
    });
    await ports().products.add(aProduct({ name: `Sketchpad ${hostile}` }), aCall());
    path = await linkOfAda(service);
  });
  afterEach(() => service.stop());

  const ports = () => portsIn(service.container);
  const get = (below = ''): Promise<ReceivedPage> => getPage(service.url + path + below);
  const says = async (): Promise<string> => textIn((await get()).text);
  const sell = async (overrides: Partial<Sale> = {}): Promise<void> => {
    const sale = aSale({ payments: [old], ...overrides });
    expect((await ports().sales.replace(null, sale, null, aCall())).kind).to.equal('replaced');
  };

  it('say that there are none', async () => {
    expect(await says())
      .to.include('You have sold nothing yet.')
      .and.include('None yet. A month with earnings')
      .and.not.include('Latest sales');
  });

  it('are what is to be paid, what the next statement has, and what waits, with where each sale is', async () => {
    const confirmedAt = noon;
    const late = aPayment({ id: 'ch_2', paidAt: later(-5 * day) });
    const kinds: readonly (readonly [Partial<Sale>, RegExp])[] = [
      [{ by: 'code', confirmedAt }, /code US\$2\.70 In the next statement/],
      [{ payments: [old, late], confirmedAt }, /link US\$5\.40 In the next statement US\$2\.70 on hold /],
      [{ payments: [late], confirmedAt }, /US\$2\.70 On hold until 12 August 2026/],
      [{ by: 'put', confirmedAt: later(-20 * day) }, /seller US\$2\.70 Not confirmed yet/],
      [{ confirmedAt, ...inStatement(270, noon) }, /US\$2\.70 In a statement/],
      [{ payments: [{ ...old, kept: 0 }], confirmedAt }, /US\$0\.00 Refunded or disputed/],
      [
        { payments: [{ ...old, kept: 0 }], confirmedAt, ...inStatement(270, noon) },
        /US\$0\.00 Taken off the next statement/,
      ],
      [{ payments: [], currency: '', by: 'operator' }, /operator – Not paid yet/],
      [{ voided: { at: noon, by: 'operator:opk_1', reason: 'of Eve' } }, /US\$0\.00 Does not count/],
    ];
    for (const [index, [sale]] of kinds.entries()) {
      await sell({ entitlementId: `cs_live_${index}`, attributedAt: later(-index * day), ...sale });
    }
    await sell({ entitlementId: 'cs_live_bob', handle: 'bob', confirmedAt });
    const { text } = await get();
    const rows = textIn(text)
      .split(/sale_\S{3}…\S{2} /)
      .slice(1);
    expect(rows.length).to.equal(kinds.length);
    for (const [index, [, expected]] of kinds.entries()) expect(rows[index]).to.match(expected);
    expect(textIn(text))
      .to.include('In US dollars To be paid US$0.00 in 0 statements')
      .and.include('In the next statement US$2.70 whose hold has ended')
      .and.include('On hold US$8.10 until 12 August 2026 at the latest');
    expect(text)
      .to.include('Sketchpad &quot;')
      .and.not.match(/cs_live|ch_|opk_1|of Eve|@other|ada@example|IBAN|<script/);
  });

  it('name what the next statement takes over from the one before it', async () => {
    await addStatement(ports(), aStatement({ opening: -540, total: 0, balance: -540 }));
    await sell({ confirmedAt: noon });
    expect(await says()).to.include('In the next statement US$2.70 whose hold has ended, less US$5.40 carried over');
    const back = { ...old, kept: 0 };
    await sell({ entitlementId: 'sub_2', payments: [back], confirmedAt: noon, ...inStatement(300, noon) });
    expect(await says()).to.include('In the next statement −US$0.30 which is taken off, with US$5.40 carried over');
  });

  it('have each statement, with a file that only she gets', async () => {
    const paid = { at: noon, method: hostile, reference: '7XK' };
    const own = aStatement({ month: '2026-05', total: -540, balance: -540 });
    const next = aStatement({ number: 2, opening: -540, total: 12_880, balance: 12_340 });
    const others = aStatement({ handle: 'bob', balance: 99_900 });
    for (const each of [own, next, others]) await addStatement(ports(), each);
    await addStatement(ports(), aStatement({ currency: 'eur', paid, revision: 2 }));
    const { text } = await get();
    expect(textIn(text))
      .to.match(/−US\$5\.40 US\$128\.80 US\$123\.40 To pay Download/)
      .and.match(/May 2026 \S.* – −US\$5\.40 −US\$5\.40 Carried over Download/)
      .and.match(/€2\.70 Paid 18 July 2026, /)
      .and.include('To be paid US$123.40 in 1 statement')
      .and.not.include('999');
    expect(text)
      .to.include(`href="${path}/statements/${next.id}.csv"`)
      .and.not.include(others.id)
      .and.not.include('<script');
    const file = await get(`/statements/${next.id}.csv`);
    expect(file.headers).to.include({
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="${next.id}.csv"`,
      'content-type': 'text/csv; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    expect(file.headers).to.not.have.property('set-cookie');
    expect(file.text).to.match(
      /^sale,attributed_at,slug,by,percent,from,to,amount,currency\r\nsale_[\w-]{22},[^,]+,sketchpad,link,30,0,12880,12880,usd\r\n$/,
    );
    for (const id of [others.id, 'st_none']) {
      const { status, headers, text: refused } = await get(`/statements/${id}.csv`);
      expect([status, headers['error-code']], id).to.deep.equal([404, 'statement_not_found']);
      expect(textIn(refused)).to.include('No statement of yours has this address.');
    }
    service.now = later(31 * day);
    expect((await get(`/statements/${next.id}.csv`)).headers['error-code']).to.equal('link_not_found');
  });

  it('show the latest twenty sales and fifty statements, and no sum of more than a hundred sales', async () => {
    for (const index of range(101)) await sell({ entitlementId: `sub_${index}`, attributedAt: later(-index) });
    const first = (await get()).text;
    expect(countIn(first, /sale_\S{3}…/g)).to.equal(20);
    expect(textIn(first))
      .to.include('These are the latest 20.')
      .and.include('more than 100 sales')
      .and.not.match(/On hold US\$/);
    for (const index of range(51)) await addStatement(ports(), aStatement({ productId: `prod_${index}` }));
    const { text } = await get();
    expect([countIn(text, /\.csv"/g), text.includes('To be paid')]).to.deep.equal([50, true]);
    const older = /href="[^"]*(\?after=[^"#]+)#statements"/.exec(text)?.[1] ?? '';
    const rest = await get(older);
    expect(countIn(rest.text, /\.csv"/g)).to.equal(1);
    expect(textIn(rest.text)).to.include('Newest').and.not.include('Older');
    expect((await get('?after=x')).headers['error-code']).to.equal('invalid_parameter');
  });
});
