import { expect } from 'chai';
import type { Listing } from '../../../core/catalog/listing.ts';
import { aListing } from '../../support/builders.ts';
import type { TestService } from '../../support/http/test-service.ts';
import { range } from '../../support/range.ts';
import { getPage } from '../../support/web/page-client.ts';
import { serveListings } from '../../support/web/serve-listings.ts';

/** 30 listings in nine categories: the n-th in the charts has n storefronts less than the first. */
const listings: readonly Listing[] = range(30).map((index) =>
  aListing({
    id: `lst_${index}`,
    slug: `tool-${index}`,
    name: `Tool ${index}`,
    storefrontCount: 100 - index,
    category: index < 16 ? `Kind ${index % 8}` : index % 2 === 0 ? 'big' : 'Big',
    featured: [5, 26, 27, 28].includes(index),
    compensationType: index === 1 ? 'upfront' : 'commission',
    commissionFor: ([null, null, 'first_payment', 'lifetime', 6] as const)[index] ?? null,
    pictureUrl: index === 26 ? 'https://pictures.example/26.png' : null,
  }),
);

describe('the home of the marketplace', () => {
  let service: TestService | null = null;
  before(async () => {
    service = await serveListings(listings, { siteImageHosts: ['pictures.example'] });
  });
  after(async () => {
    await service?.stop();
  });

  const page = async (query = ''): Promise<string> => (await getPage(`${service?.url}/${query}`)).text;

  it('has the seven largest categories with their counts, ties by code point, and leads to the others', async () => {
    const [, kinds = ''] = /<nav class="kinds" aria-label="Categories">([^]*?)<\/nav>/.exec(await page()) ?? [];
    const texts = [...kinds.matchAll(/<a([^>]*)>([^]*?)<\/a\s*>/g)].map(([, attributes, text = '']) => [
      /aria-current/.test(attributes ?? ''),
      text.replaceAll(/<[^>]+>/g, '').trim(),
    ]);
    expect(texts).to.deep.equal([
      [true, 'All 30'],
      [false, 'Big 14'],
      ...range(6).map((number) => [false, `Kind ${number} 2`]),
      [false, '2 more'],
    ]);
    expect(kinds).to.include('href="/?category=Kind+0"').and.include('<a href="#category">2 more</a>');
    expect(await page('?category=BIG')).to.match(/href="\/\?category=Big"\s+aria-current="page"/);
  });

  it('shows up to three featured listings first, large, and leaves them out below', async () => {
    const text = await page();
    const [featured = '', others = ''] = text.split('<h2 id="all">');
    expect(slugsIn(featured)).to.deep.equal(['tool-5', 'tool-26', 'tool-27']);
    expect(featured.split('class="card large"')).to.have.length(4);
    expect(featured)
      .to.include('<div class="cover hue-')
      .and.include('<img src="https://pictures.example/26.png" alt=""');
    expect(slugsIn(others)).to.deep.equal(
      range(24)
        .filter((index) => index !== 5)
        .map((index) => `tool-${index}`),
    );
    expect(others).to.include('<p id="count" role="status">1–24 of 30</p>').and.not.include('card large');
    for (const query of ['?offset=24', '?sort=new', '?q=tool', '?category=Big']) {
      expect(await page(query), query)
        .to.not.include('id="featured"')
        .and.not.include('card large');
    }
    expect(slugsIn(await page('?offset=24'))).to.deep.equal([24, 25, 26, 27, 28, 29].map((index) => `tool-${index}`));
    const { data } = JSON.parse((await getPage(`${service?.url}/api/marketplace/listings`)).text);
    expect(data.slice(0, 7).map(({ slug }: Listing) => slug)).to.deep.equal(range(7).map((index) => `tool-${index}`));
  });

  it('says on each card what it pays, then for how long', async () => {
    const text = await page();
    const times = [...text.matchAll(/<strong dir="auto">[^<]*<\/strong><span class="muted">([^<]*)<\/span>/g)];
    expect(times.slice(3, 8).map(([, time]) => time)).to.deep.equal([
      '\u200b',
      'once',
      'first payment',
      'for as long as they pay',
      'for 6 months',
    ]);
  });

  it('keeps the search in the filters and the filters in the search, and opens the fold while a filter holds', async () => {
    const text = await page('?q=tool&category=Big&minCommission=20&sort=new');
    const [, search = ''] = /<form class="search"([^]*?)<\/form>/.exec(text) ?? [];
    const hidden = [...search.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]);
    expect(hidden).to.deep.include.members([
      ['category', 'Big'],
      ['minCommission', '20'],
      ['sort', 'new'],
    ]);
    const [, filters = ''] = /<form class="filters"([^]*?)<\/form>/.exec(text) ?? [];
    expect(filters).to.match(/type="hidden" name="q" value="tool"/);
    expect(text).to.match(/<details class="more"\s+open>/);
    expect(await page()).to.match(/<details class="more"\s*>/);
  });
});

/** The listings of the cards of a page, in their order. */
function slugsIn(text: string): readonly string[] {
  return [...text.matchAll(/<h3 dir="auto"><a href="\/listings\/([^"]+)"/g)].map(([, slug = '']) => slug);
}
