import { expect } from 'chai';
import { CatalogIndex } from '../../../adapters/catalog-index/catalog-index.ts';
import { englishTexts } from '../../../adapters/web/markup/buyer-texts.ts';
import type { PageAnswer } from '../../../adapters/web/page/page.ts';
import { createPages } from '../../../adapters/web/pages.ts';
import { aCall, aListing } from '../../support/builders.ts';
import { plainRenderer } from '../../support/stores/catalogs.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { site } from '../../support/web/site.ts';

const base = 'https://shop.example/market';

describe('what search engines read', () => {
  const store = freshStore(memory.open);
  let index: CatalogIndex;
  beforeEach(() => {
    index = new CatalogIndex(store().listings, plainRenderer, (text) => text);
  });

  async function list(count: number): Promise<void> {
    const listings = Array.from({ length: count }, (_, number) =>
      aListing({ id: `lst_${number}`, slug: `tool-${number}` }),
    );
    await store().listings.put(listings, aCall());
    await index.refresh(aCall());
  }

  async function get(path: string, addressesPerSitemap?: number): Promise<PageAnswer> {
    const { routes } = createPages({
      catalog: index,
      join: async () => {},
      site,
      language: 'en',
      texts: englishTexts,
      baseUrl: () => base,
      basePath: '/market',
      isForBuyers: false,
      licenses: null,
      lostKeys: null,
      affiliates: null,
      cacheControl: 'public, max-age=5',
      ...(addressesPerSitemap === undefined ? {} : { addressesPerSitemap }),
    });
    const [, name] = /^\/sitemaps\/(.*)$/.exec(path) ?? [];
    const route = routes.find((each) => each.path === (name === undefined ? path : '/sitemaps/:name'));
    if (route === undefined) throw new Error(`no page at ${path}`);
    return route.handle({
      call: aCall(),
      parameters: { name },
      query: '',
      form: new URLSearchParams(),
      header: () => '',
    });
  }

  it('is one sitemap of all pages, as long as it is short enough', async () => {
    await list(3);
    const answer = await get('/sitemap.xml');
    expect(answer).to.include({ status: 200, contentType: 'application/xml; charset=utf-8' });
    expect(String(answer.content)).to.include('<urlset xmlns=');
    expect(locationsIn(answer)).to.have.members(
      ['/', '/waitlist', '/docs', '/listings/tool-0', '/listings/tool-1', '/listings/tool-2'].map(
        (path) => base + path,
      ),
    );
  });

  it('is an index of parts above the maximum, which lists every page once', async () => {
    await list(10);
    const whole = await get('/sitemap.xml', 5);
    expect(String(whole.content)).to.include('<sitemapindex xmlns=');
    expect(locationsIn(whole)).to.deep.equal([1, 2, 3].map((part) => `${base}/sitemaps/${part}.xml`));
    const parts = await Promise.all([1, 2, 3].map((part) => get(`/sitemaps/${part}.xml`, 5)));
    expect(parts.map((part) => locationsIn(part).length)).to.deep.equal([5, 5, 3]);
    expect(new Set(parts.flatMap(locationsIn))).to.have.property('size', 13);
    for (const name of ['4.xml', '0.xml', '01.xml', '1.xml.gz', '-1.xml', '1e1.xml', 'x']) {
      expect((await get(`/sitemaps/${name}`, 5)).status, name).to.equal(404);
    }
  });

  it('has at most 50,000 addresses in a part', async () => {
    await list(50_001);
    expect(locationsIn(await get('/sitemap.xml'))).to.have.length(2);
    expect(locationsIn(await get('/sitemaps/1.xml'))).to.have.length(50_000);
    expect(locationsIn(await get('/sitemaps/2.xml'))).to.have.length(4);
  });
});

function locationsIn({ content }: PageAnswer): readonly string[] {
  return [...String(content).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, location = '']) => location);
}
