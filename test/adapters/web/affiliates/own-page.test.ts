import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import type { Affiliate } from '../../../../core/affiliate/affiliate.ts';
import type { Promotion } from '../../../../core/affiliate/promotion.ts';
import { anAffiliate, aPromotion, aVersion } from '../../../support/affiliates/builders.ts';
import { aPromotable, linkOfAda, servePromoted, type Promoted } from '../../../support/affiliates/promoted-site.ts';
import { aCall, day, later } from '../../../support/builders.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { range } from '../../../support/range.ts';
import { textIn } from '../../../support/web/buyers.ts';
import { hostile } from '../../../support/web/console-pages.ts';
import { getPage, sendForm, type ReceivedPage } from '../../../support/web/page-client.ts';

const listings = [
  aPromotable(),
  aPromotable({ slug: 'heatwave', name: 'Heatwave', affiliates: 'ask', commissionFor: 'first_payment', holdDays: 0 }),
  aPromotable({ slug: 'closed', name: 'Closed', affiliates: 'none' }),
  aPromotable({ slug: 'paused', name: 'Paused', state: 'paused' }),
];

const outcomeOf = ({ status, headers }: ReceivedPage): readonly unknown[] => [status, headers['error-code']];

describe("an affiliate's own page", () => {
  let service: TestService;
  let path = '';

  async function open(promoted: Partial<Promoted> = {}): Promise<void> {
    service = await servePromoted({ listings, promotions: [], ...promoted });
    path = await linkOfAda(service);
  }
  afterEach(() => service.stop());

  const get = (below = ''): Promise<ReceivedPage> => getPage(service.url + path + below);
  const post = (below: string, fields: Readonly<Record<string, string>> = {}): Promise<ReceivedPage> =>
    sendForm(service.url + path + below, fields);
  /** Follows the redirect of a form, and returns what the page says. */
  async function follow({ status, headers }: ReceivedPage): Promise<string> {
    expect([status, headers['cache-control']]).to.deep.equal([303, 'no-store']);
    return textIn((await getPage(service.url + (headers['location'] ?? ''))).text);
  }
  const stored = (): Promise<readonly Promotion[]> => portsIn(service.container).promotions.ofAffiliate('ada', aCall());
  const changes = (): readonly unknown[] =>
    service.logged.filter(({ command }) => command !== undefined).map(({ command, by }) => [command, by]);

  it('shows what she promotes, with the link to copy, the terms and the codes', async () => {
    await open({
      promotions: [
        aPromotion({ codes: ['ada20'] }),
        aPromotion({ slug: 'heatwave', state: 'asked', terms: [] }),
        aPromotion({ slug: 'paused' }),
        aPromotion({ slug: 'closed', state: 'ended', terms: [aVersion({ from: later(-day) })] }),
      ],
    });
    const { status, headers, text } = await get();
    expect(status).to.equal(200);
    expect(headers).to.include({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers).to.not.have.property('set-cookie');
    expect(headers['content-security-policy']).to.not.include('script-src');
    expect(text).to.include(`>${service.url}/go/ada/sketchpad</code`).and.not.include('<script');
    const says = textIn(text);
    expect(says)
      .to.include('Your storefront is')
      .and.include('30% of each payment as long as they pay, after a hold of 30 days')
      .and.include('Code ADA20 counts for you')
      .and.match(/Heatwave\s+Waits for approval\s+Asked on/)
      .and.match(/Closed\s+Ended\s+Until/)
      .and.include('The seller does not offer it now')
      .and.include('This link works until');
    expect(text).to.not.include('/go/ada/paused').and.not.include('promotions/closed/end');
  });

  it('promotes an open listing at once, and asks for others', async () => {
    await open();
    expect(textIn((await get()).text))
      .to.include('You promote nothing yet.')
      .and.include('Your storefront will be')
      .and.include('Sketchpad, 30% for 12 months')
      .and.include('Heatwave, 30% of the first payment (asks first)')
      .and.not.include('Closed');
    expect(await follow(await post('/promotions', { slug: 'sketchpad' }))).to.include('You promote Sketchpad');
    expect(await follow(await post('/promotions', { slug: 'heatwave' }))).to.include('You have asked for Heatwave');
    const [heatwave, sketchpad] = await stored();
    expect(sketchpad).to.deep.include({ slug: 'sketchpad', state: 'live', productId: 'prod_1' });
    expect(sketchpad?.terms).to.deep.equal([
      { from: later(0), by: 'affiliate:ada', commissionPercent: 3000, commissionFor: 12, holdDays: 30 },
    ]);
    expect(heatwave).to.deep.include({ slug: 'heatwave', state: 'asked', terms: [] });
    await follow(await post('/promotions', { slug: 'sketchpad' }));
    expect(await stored()).to.deep.equal([heatwave, sketchpad]);
    expect((await get()).text).to.not.include('<select');
    const live = await portsIn(service.container).allListings.find('sketchpad', aCall());
    expect(live?.storefronts).to.equal(1);
    expect(changes()).to.deep.equal([
      ['promotion ask', 'affiliate:ada'],
      ['promotion ask', 'affiliate:ada'],
    ]);
  });

  it('refuses a listing that nobody may promote', async () => {
    await open();
    for (const [slug, status, code] of [
      ['closed', 409, 'listing_not_promotable'],
      ['paused', 409, 'listing_not_promotable'],
      ['nothing', 404, 'listing_not_found'],
      ['', 404, 'listing_not_found'],
    ] as const) {
      const refused = await post('/promotions', { slug });
      expect(outcomeOf(refused), slug).to.deep.equal([status, code]);
      expect(textIn(refused.text)).to.include('Nothing was changed').and.include('Promote another');
    }
    expect(await stored()).to.deep.equal([]);
  });

  it('offers first what its address names', async () => {
    await open();
    const { text } = await get('?listing=heatwave');
    expect(/<option value="([^"]+)"/.exec(text)?.[1]).to.equal('heatwave');
  });

  it('offers at most 200 listings', async () => {
    await open({ listings: range(202).map((index) => aPromotable({ slug: `tool-${index}` })) });
    const { text } = await get('?listing=tool-201');
    expect(text.match(/<option/g)).to.have.length(200);
    expect(text).to.include('value="tool-201"').and.include('More of them');
  });

  it('asks before it ends a promotion, which can be asked for again', async () => {
    await open({ promotions: [aPromotion({ codes: ['ada20'] })] });
    const asked = await get('/promotions/sketchpad/end');
    expect(textIn(asked.text)).to.include('End Sketchpad?').and.include('Keep it').and.include('no longer count');
    expect((await stored())[0]?.state).to.equal('live');
    expect(await follow(await post('/promotions/sketchpad/end'))).to.include('Sketchpad has ended');
    const [ended] = await stored();
    expect(ended?.state).to.equal('ended');
    expect(ended?.terms.at(-1)).to.deep.include({ by: 'affiliate:ada', commissionPercent: null });
    expect(await follow(await get('/promotions/sketchpad/end'))).to.include('Your products');
    await follow(await post('/promotions/sketchpad/end'));
    expect(await stored()).to.deep.equal([ended]);
    await follow(await post('/promotions', { slug: 'sketchpad' }));
    expect((await stored())[0]?.state).to.equal('live');
    expect(outcomeOf(await post('/promotions/nothing/end'))).to.deep.equal([404, 'promotion_not_found']);
    expect(changes()).to.deep.equal([
      ['promotion end', 'affiliate:ada'],
      ['promotion ask', 'affiliate:ada'],
    ]);
  });

  it('changes the details, all but the address', async () => {
    await open();
    const given = { name: ' Ada Lovell ', about: 'I draw\r\nmaps.', url: 'https://ada.example/', payTo: 'PayPal' };
    expect(await follow(await post('/details', { ...given, email: 'eve@example.com' }))).to.include('Saved');
    const changed: Partial<Affiliate> = { ...given, name: 'Ada Lovell', about: 'I draw\nmaps.', revision: 2 };
    const found = (): Promise<Affiliate | null> => portsIn(service.container).affiliates.find('ada', aCall());
    expect(await found()).to.deep.equal(anAffiliate(changed));
    await follow(await post('/details', { name: 'Ada' }));
    expect(await found()).to.deep.equal(anAffiliate({ revision: 3 }));
    await follow(await post('/details', { name: 'Ada' }));
    expect(changes()).to.deep.equal([
      ['affiliate set', 'affiliate:ada'],
      ['affiliate set', 'affiliate:ada'],
    ]);
    expect(JSON.stringify(service.logged)).to.not.match(/PayPal|@example|maps/);
  });

  it('shows the form again with what was typed, and what is wrong', async () => {
    await open();
    const wrong = { name: '', about: 'x'.repeat(301), url: 'http://ada.example/', payTo: `a\u0000${hostile}` };
    const refused = await post('/details', wrong);
    expect(outcomeOf(refused)).to.deep.equal([400, 'invalid_body']);
    for (const name of Object.keys(wrong)) expect(refused.text).to.include(`id="${name}-error"`);
    expect(refused.text).to.include('x'.repeat(301)).and.include('http://ada.example/').and.not.include('<script');
    const again = await post('/details', { name: hostile, about: `</textarea>${hostile}` });
    expect(await follow(again)).to.include('Saved');
    expect((await get()).text)
      .to.include('&lt;/textarea&gt;')
      .and.not.include('<script');
  });

  it('opens for nobody without a link, with one that has ended, and below it', async () => {
    await open();
    const first = path;
    for (const token of ['x', 'u'.repeat(43)]) {
      path = `/affiliates/links/${token}`;
      for (const answer of [await get(), await post('/promotions', { slug: 'sketchpad' }), await post('/details')]) {
        expect(outcomeOf(answer)).to.deep.equal([404, 'link_not_found']);
        expect(answer.headers['referrer-policy']).to.equal('no-referrer');
        expect(textIn(answer.text)).to.include('This link has ended');
      }
    }
    path = first;
    const below = await get('/nothing');
    expect(outcomeOf(below)).to.deep.equal([404, 'not_found']);
    expect(below.headers).to.include({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
    service.now = later(30 * day);
    expect(outcomeOf(await get())).to.deep.equal([404, 'link_not_found']);
    expect(await stored()).to.deep.equal([]);
  });
});
