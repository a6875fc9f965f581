import { expect } from 'chai';
import type { Listing } from '../../../core/catalog/listing.ts';
import { aListing } from '../../support/builders.ts';
import type { ServiceOptions, TestService } from '../../support/http/test-service.ts';
import { getPage } from '../../support/web/page-client.ts';
import { serveListings } from '../../support/web/serve-listings.ts';

describe('the page of a listing', () => {
  let service: TestService | null = null;
  afterEach(async () => {
    await service?.stop();
    service = null;
  });

  /** Serves these listings and returns the page of the first. */
  async function pageOf(listings: readonly Listing[], options: ServiceOptions = {}): Promise<string> {
    service = await serveListings(listings, options);
    return (await getPage(`${service.url}/listings/${listings[0]?.slug}`)).text;
  }

  it('says once what the maker pays, and the facts', async () => {
    const text = await pageOf([aListing({ storefrontCount: 1, publishedAt: new Date('2026-03-04T23:59:00Z') })]);
    expect(text.split('30 % of every sale')).to.have.length(2);
    expect(text)
      .to.include('<dd>1 storefront</dd>')
      .and.include('<time datetime="2026-03-04">4 March 2026</time>')
      .and.match(/<dt>Category<\/dt>\s*<dd><a href="\/\?category=Writing" dir="auto">Writing<\/a><\/dd>/);
    expect(text).to.match(/<nav class="crumbs" aria-label="Breadcrumb">\s*<ol>\s*<li><a href="\/">Marketplace<\/a>/);
  });

  it('leads to the product where it has an address, and nowhere else', async () => {
    const url = 'https://ledgerline.example/partners?a=1&b=2';
    const linked = await pageOf([aListing({ url })]);
    expect(linked).to.include(
      'href="https://ledgerline.example/partners?a=1&amp;b=2" rel="nofollow noopener">Visit the product<svg',
    );
    expect(linked.split('class="button')).to.have.length(2);
    await service?.stop();
    const plain = await pageOf([aListing()]);
    expect(plain).to.not.include('Visit the product').and.not.include('class="button');
  });

  it('shows an image where its host is named, to search engines too, and the tile elsewhere', async () => {
    const imageUrl = 'https://cdn.example/editor.png';
    const image = `<img src="${imageUrl}" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer" />`;
    const shown = await pageOf([aListing({ imageUrl })], { siteImageHosts: ['cdn.example'] });
    expect(shown).to.include(`<span class="tile large hue-11" aria-hidden="true">${image}</span>`);
    expect(shown).to.include(`"image":"${imageUrl}"`).and.include(`<meta property="og:image" content="${imageUrl}" />`);
    expect((await getPage(`${service?.url}/`)).text).to.include(image);
    await service?.stop();
    const hidden = await pageOf([aListing({ imageUrl })], { siteImageHosts: ['other.example'] });
    expect(hidden).to.include('<span class="tile large hue-11" aria-hidden="true">Q</span>');
    expect(hidden).to.not.include('cdn.example').and.not.include('<img');
    expect((await getPage(`${service?.url}/`)).text).to.not.include('cdn.example');
  });

  it('shows three others of the category, those with the most storefronts first', async () => {
    const others = [3, 9, 1, 7, 5].map((storefrontCount) =>
      aListing({ id: `lst_${storefrontCount}`, slug: `s${storefrontCount}`, storefrontCount, category: 'WRITING' }),
    );
    const music = aListing({ id: 'lst_m', slug: 'music', category: 'Music', storefrontCount: 99 });
    const draft = aListing({ id: 'lst_d', slug: 'draft', state: 'draft', storefrontCount: 99 });
    const text = await pageOf([aListing({ id: 'lst_own' }), ...others, music, draft]);
    expect(text).to.include('<h2 id="related">More in <bdi>Writing</bdi></h2>');
    const related = [...text.matchAll(/<h3 dir="auto"><a href="\/listings\/([^"]+)"/g)].map(([, slug]) => slug);
    expect(related).to.deep.equal(['s9', 's7', 's5']);
    await service?.stop();
    expect(await pageOf([aListing(), music])).to.not.include('More in');
  });
});
