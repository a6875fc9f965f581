import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { anAffiliate, aPromotion } from '../../../support/affiliates/builders.ts';
import { addPromoted, aPromotable, servePromoted } from '../../../support/affiliates/promoted-site.ts';
import { aCall, day, later } from '../../../support/builders.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { range } from '../../../support/range.ts';
import { textIn } from '../../../support/web/buyers.ts';
import { hostile } from '../../../support/web/console-pages.ts';
import { getPage, type ReceivedPage } from '../../../support/web/page-client.ts';

describe('a storefront', () => {
  let service: TestService;
  before(async () => {
    service = await servePromoted({
      listings: [
        aPromotable({ maker: 'Pad Inc.' }),
        aPromotable({ slug: 'older', name: 'Older', maker: null }),
        aPromotable({ slug: 'newer', name: hostile, blurb: hostile, category: hostile }),
        aPromotable({ slug: 'paused', name: 'Paused', state: 'paused' }),
      ],
      affiliates: [
        anAffiliate({ name: 'Ada Lovell', about: 'I draw maps.', url: 'https://ada.example/maps' }),
        anAffiliate({ handle: 'eve', name: hostile, about: hostile }),
        anAffiliate({ handle: 'gone', state: 'ended' }),
        anAffiliate({ handle: 'waits' }),
      ],
      promotions: [
        aPromotion({ codes: ['old', 'ada20'] }),
        aPromotion({ slug: 'older', askedAt: later(-day) }),
        aPromotion({ slug: 'newer', askedAt: later(day) }),
        aPromotion({ slug: 'paused' }),
        aPromotion({ handle: 'eve' }),
        aPromotion({ handle: 'gone' }),
        aPromotion({ handle: 'waits', state: 'asked', terms: [] }),
        aPromotion({ handle: 'waits', slug: 'paused' }),
      ],
    });
  });
  after(() => service.stop());

  const show = (path: string): Promise<ReceivedPage> => getPage(service.url + path);

  const storefronts = async (): Promise<readonly string[]> => {
    const { text } = await show('/sitemap.xml');
    return [...text.matchAll(/<loc>[^<]*(\/@[^<]*)<\/loc>/g)].map(([, path = '']) => path);
  };

  it('shows what an affiliate says, and a card for each live promotion, the newest first', async () => {
    const { status, headers, text } = await show('/@ada');
    expect([status, headers['cache-control'], headers['set-cookie']]).to.deep.equal([
      200,
      'public, max-age=5, stale-while-revalidate=30',
      undefined,
    ]);
    expect(text).to.not.include('<script');
    expect(text)
      .to.include('<link rel="canonical"')
      .and.include('<a href="https://ada.example/maps" rel="nofollow ugc noopener">')
      .and.not.include('noindex');
    const shown = textIn(text);
    expect(shown)
      .to.include('I draw maps.')
      .and.include('Ada Lovell earns a commission when you buy through these links.');
    expect(shown.indexOf('earns a commission')).to.be.below(shown.indexOf('See Sketchpad'));
    const links = [...text.matchAll(/href="(\/go\/[^"]+)" rel="([^"]+)"/g)].map(([, path, rel]) => [path, rel]);
    const rel = 'sponsored nofollow noopener';
    expect(links).to.deep.equal([
      ['/go/ada/newer', rel],
      ['/go/ada/sketchpad', rel],
      ['/go/ada/older', rel],
    ]);
    expect(shown)
      .to.match(/Use ADA20 at the checkout\s+See Sketchpad/)
      .and.not.include('By Pad Inc.');
  });

  it('is revalidated by its tag', async () => {
    const { headers } = await show('/@ada');
    const again = await getPage(`${service.url}/@ada`, { headers: { 'If-None-Match': headers['etag'] ?? '' } });
    expect(again.status).to.equal(304);
  });

  it('escapes what affiliates and makers have written', async () => {
    for (const handle of ['ada', 'eve']) {
      const { text } = await show(`/@${handle}`);
      expect(text).to.include('&lt;script&gt;alert(1)').and.not.include('<script>');
    }
  });

  it('has one address, in lower case', async () => {
    const { status, headers } = await show('/@Ada');
    expect([status, headers['location']]).to.deep.equal([301, '/@ada']);
  });

  it('is not there for an affiliate who is unknown, has ended, or has nothing to show', async () => {
    for (const path of ['/@nobody', '/@gone', '/@waits', '/@_', '/@A_', '/@', '/@ada/x', '/@%41da%00']) {
      const { status, headers, text } = await show(path);
      expect([path, status, headers['error-code']]).to.deep.equal([path, 404, 'not_found']);
      expect(text).to.include('Page not found');
    }
  });

  it('is in the sitemap, as long as there is something to show', async () => {
    expect(await storefronts()).to.deep.equal(['/@ada', '/@eve']);
    const ports = {
      affiliates: service.container.get(tokens.affiliates),
      promotions: service.container.get(tokens.promotions),
    };
    const bo = anAffiliate({ handle: 'bob' });
    await addPromoted(ports, { affiliates: [bo], promotions: [aPromotion({ handle: 'bob' })] });
    await service.container.get(tokens.listings).setStorefronts('sketchpad', 3, aCall());
    await service.container.get(tokens.catalogIndex).refresh(aCall());
    expect(await storefronts()).to.deep.equal(['/@ada', '/@bob', '/@eve']);
  });

  it('shows as many cards as an affiliate can have promotions', async () => {
    const slugs = range(200).map((index) => `tool-${index}`);
    const many = await servePromoted({
      listings: slugs.map((slug) => aPromotable({ slug })),
      promotions: slugs.map((slug) => aPromotion({ slug })),
    });
    const { text } = await getPage(`${many.url}/@ada`);
    await many.stop();
    expect(text.match(/card sold-by/g)).to.have.length(200);
  });
});
