import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { demoCatalog } from '../../../app/demo/catalog/catalog.ts';
import { portsIn } from '../../../app/service/container.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { saleId } from '../../../core/affiliate/sale/sale.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import {
  addStatement,
  anAffiliate,
  aPayment,
  aPromotion,
  aSale,
  aStatement,
  aVersion,
  inStatement,
} from '../../support/affiliates/builders.ts';
import { aPromotable, linkOfAda, servePromoted } from '../../support/affiliates/promoted-site.ts';
import { aCall, aProduct, day, later, noon } from '../../support/builders.ts';
import type { TestService } from '../../support/http/test-service.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { structure } from './in-page.js';
import { expectFits, expectFitsScreens, expectSound, keepScreenshot, openTab, screens, type Tab } from './site.ts';

const unheard = { host: '127.0.0.1', port: 9, security: 'plain', credentials: null } as const;

const mail = { smtpUrl: unheard, mailFrom: { address: 'ada@shop.example', name: null } };

/** The listings of the demo, which affiliates may promote. */
function promotable(): readonly Listing[] {
  return demoCatalog(noon, 'https://makers.example').map((draft, index) => {
    const { slug, name, blurb, category, compensationLabel, maker = null } = draft;
    const about = { name, blurb, category, compensationLabel, maker };
    return aPromotable({ ...about, slug, productId: slug, affiliates: index % 3 === 0 ? 'ask' : 'open' });
  });
}

/** Everything that shows something of an affiliate or a listing, each time on a page of its own. */
const pathsWith = (own: string, slug: string): readonly string[] => [
  '/@ada',
  `/affiliates?listing=${slug}`,
  own,
  `${own}/promotions/${slug}/end`,
];

/** Statements and sales of @ada in every state. */
async function addEarnings(ports: StorePorts, productId = ''): Promise<void> {
  const paid = { at: later(-2 * day), method: 'PayPal', reference: '7XK' };
  for (const statement of [
    aStatement({ productId, month: '2026-06', number: 2, opening: -540, total: 12_880, balance: 12_340 }),
    aStatement({ productId, month: '2026-05', total: -540, balance: -540 }),
    aStatement({ productId: 'plainstats', month: '2026-05', total: 1800, balance: 1800, paid, revision: 2 }),
    aStatement({ productId: 'plainstats', month: '2026-05', currency: 'eur', total: 0, balance: 0 }),
  ]) {
    await addStatement(ports, statement);
  }
  const confirmed = { productId, confirmedAt: noon };
  const old = later(-40 * day);
  const payment = aPayment({ paidAt: old, amount: 9000, kept: 9000 });
  const recent = aPayment({ id: 'ch_2', paidAt: later(-day) });
  for (const [index, sale] of [
    aSale({ ...confirmed, by: 'code', payments: [recent] }),
    aSale({ ...confirmed, payments: [payment, recent] }),
    aSale({ ...confirmed, payments: [{ ...payment, kept: 0 }] }),
    aSale({ ...confirmed, payments: [payment], ...inStatement(2700, noon) }),
    aSale({ productId, payments: [payment], confirmedAt: old }),
    aSale({ ...confirmed, currency: '', by: 'operator' }),
    aSale({ ...confirmed, payments: [payment], voided: { at: noon, by: 'operator:opk_1', reason: 'fraud' } }),
  ].entries()) {
    const entitlementId = `cs_test_${index}`;
    const own = { entitlementId, id: saleId(entitlementId, digest), attributedAt: later(-index * day) };
    await ports.sales.replace(null, { ...sale, ...own }, null, aCall());
  }
}

/** The slug and the product of a listing of the demo. */
const of = (slug = ''): { slug: string; productId: string } => ({ slug, productId: slug });

describe('the pages of affiliates, in a browser', () => {
  const browser = borrowChromium();
  let service: TestService;
  let own = '';
  /** A tab with JavaScript, and one without. */
  let tab: Tab;
  let plain: Tab;

  before(async () => {
    const listings = promotable();
    const [first, second, third, fourth] = listings.map(({ slug }) => slug);
    service = await servePromoted(
      {
        listings,
        affiliates: [
          anAffiliate({
            name: 'Ada Lovell',
            about: 'I draw maps for a living and write about the tools that keep a one-woman studio running.',
            url: 'https://ada.example/',
            payTo: 'PayPal, ada@ada.example',
          }),
        ],
        promotions: [
          aPromotion({ ...of(first), codes: ['ada20'] }),
          aPromotion({ ...of(second), askedAt: later(-day) }),
          aPromotion({ ...of(third), state: 'asked', terms: [] }),
          aPromotion({ ...of(fourth), state: 'ended', terms: [aVersion()] }),
        ],
      },
      mail,
    );
    await addEarnings(portsIn(service.container), first);
    own = await linkOfAda(service);
    tab = await openTab(browser(), service);
    plain = await openTab(browser(), service, { javaScriptEnabled: false });
  });
  after(() => service.stop());

  it('are sound on every screen', async () => {
    const { page } = tab;
    const slug = promotable()[0]?.slug ?? '';
    const others = ['/affiliates/sent', '/@nobody', `/affiliates/links/${'A'.repeat(43)}`, '/waitlist?role=creator'];
    for (const path of [...pathsWith(own, slug), ...others]) {
      await page.goto(path);
      await expectSound(tab);
      await page.setViewportSize({ ...screens.phone, width: 320 });
      await expectFits(tab);
      await page.setViewportSize(screens.wide);
    }
    expect(tab.complaints.filter((each) => !each.includes('404'))).to.deep.equal([]);
    for (const [path, name] of [
      ['/@ada', 'storefront'],
      ['/affiliates', 'affiliates'],
      [own, 'affiliate'],
      [`${own}/promotions/${slug}/end`, 'affiliate-end'],
    ] as const) {
      await page.goto(path);
      await keepScreenshot(tab, name);
    }
  });

  it('lead from the storefront to a sale, and from her link to another promotion, without JavaScript', async () => {
    const { page, complaints } = plain;
    await page.goto('/@ada');
    const link = page.getByRole('link', { name: /^See / }).first();
    expect(await link.getAttribute('rel')).to.equal('sponsored nofollow noopener');
    await page.goto(own);
    const another = await page.getByLabel('Promote another').locator('option').first().textContent();
    await page.getByRole('button', { name: 'Promote', exact: true }).click();
    const done = await page.getByRole('status').innerText();
    const [name = ''] = another?.split(',') ?? [];
    expect(done).to.include(name);
    await page.getByRole('link', { name: `End ${name}` }).click();
    await page.getByRole('link', { name: 'Keep it' }).click();
    await page.getByRole('link', { name: `End ${name}` }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    expect(await page.getByRole('status').innerText()).to.include('has ended');
    await page.getByLabel('Name').fill('Ada King');
    await page.getByLabel('Your site').fill('ada.example');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.locator('#url-error').innerText()).to.include('must be an https URL');
    expect(await page.getByLabel('Name').inputValue()).to.equal('Ada King');
    await page.getByLabel('Your site').fill('https://ada.example/');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.locator('h1').innerText()).to.equal('Ada King');
    await page.getByRole('link', { name: 'Mail me another' }).click();
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByRole('button', { name: 'Mail my link' }).click();
    expect(await page.locator('h1').innerText()).to.equal('Look into your mail');
    expect(complaints.filter((each) => !each.includes('400'))).to.deep.equal([]);
  });

  for (const [what, text] of [
    ['a script', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
    ['an attribute', `" onmouseover="alert(1)" autofocus onfocus='alert(1)`],
    ['the end of a block', '</script></title></textarea></select></option><!--'],
    ['right-to-left text', 'עורך שקט'.repeat(3)],
    ['right-to-left marks', '\u202e\u2067gnitset\u202e\u200f'],
    ['a long word', 'W'.repeat(200)],
  ] as const) {
    it(`show a hostile text as it is: ${what}`, async () => {
      const { affiliates, listings, products } = portsIn(service.container);
      const seen = await affiliates.find('ada', aCall());
      const [listing, another] = promotable();
      if (seen === null || listing === undefined || another === undefined) throw new Error('nothing to change');
      const written = { name: text, about: text, payTo: text, revision: seen.revision + 1 };
      await affiliates.replace(seen, { ...seen, ...written }, aCall());
      const hostile = { name: text, blurb: text, category: text, maker: text };
      await listings.put(
        [
          { ...listing, ...hostile },
          { ...another, ...hostile },
        ],
        aCall(),
      );
      await products.put(aProduct({ id: listing.slug, name: text }), aCall());
      await service.container.get(tokens.catalogIndex).refresh(aCall());
      const fresh = await openTab(browser(), service);
      fresh.page.on('dialog', (dialog) => {
        fresh.complaints.push(`asks ${dialog.message()}`);
        void dialog.dismiss();
      });
      for (const path of pathsWith(own, listing.slug)) {
        await fresh.page.goto(path);
        await expectFitsScreens(fresh);
        const elements = (await fresh.page.evaluate(structure)).filter((element) => foreign.test(element));
        expect(elements, path).to.deep.equal([]);
      }
      expect(fresh.complaints).to.deep.equal([]);
      await fresh.page.context().close();
    });
  }
});

/** Elements and attributes that these pages have nowhere, as `structure` writes them. */
const foreign = /^(?:script|img) | on\w+| autofocus/;
