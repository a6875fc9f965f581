import { expect } from 'chai';
import { tokens } from '../../../app/service/tokens.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { aCall, aListing } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { freshService } from '../../support/http/service-hooks.ts';
import { memory } from '../../support/stores/stores.ts';
import { getPage } from '../../support/web/page-client.ts';

describe('the marketplace with few listings', () => {
  const service = freshService(memory);
  const page = async (path: string): Promise<string> => (await getPage(service().url + path)).text;

  async function list(count: number, overrides: Partial<Listing> = {}): Promise<string> {
    const listings = Array.from({ length: count }, (_, index) =>
      aListing({ id: `lst_${index}`, slug: `tool-${index}`, ...(index === 0 ? overrides : {}) }),
    );
    await service().container.get(tokens.listings).put(listings, aCall());
    return eventually(
      () => page('/'),
      (text) => text.includes(`"numberOfItems":${count},`),
    );
  }

  it('says that nothing is listed yet, and asks for nothing but a sign-up', async () => {
    const text = await page('/');
    expect(text).to.include('<h2>Nothing is listed yet</h2>').and.include('href="/waitlist">Join the waitlist</a>');
    expect(text).to.not.include('<form').and.not.include('listings').and.not.include('<script');
    expect(text).to.include('content="noindex, follow"');
  });

  it('has neither search nor categories nor filters up to twelve', async () => {
    for (const count of [1, 4, 5, 12]) {
      const text = await list(count);
      expect(text).to.not.include('<form').and.not.include('<script type="module"').and.not.include('class="kinds"');
      expect(slugsIn(text)).to.have.length(count);
    }
    expect(await page('/')).to.include('<p id="count" role="status">12 listings</p>');
    const searched = await list(13);
    expect(searched).to.include('<form class="search"').and.include('placeholder="Search 13 products"');
    expect(searched).to.include('<script type="module"').and.include('<p id="count" role="status">1–13 of 13</p>');
  });

  it('shows up to four large, the featured ones first', async () => {
    const text = await list(4, { featured: true, storefrontCount: 0 });
    expect(text.split('class="card large"')).to.have.length(5);
    expect(slugsIn(text)[0]).to.equal('tool-0');
    expect(text).to.include('<h2 id="all" class="hidden">All products</h2>').and.not.include('id="featured"');
    const more = await list(5, { featured: true, storefrontCount: 0 });
    expect(more.split('class="card large"')).to.have.length(2);
    expect(slugsIn(more)[0]).to.equal('tool-0');
  });

  it('leads back to all of them from the listings of a category', async () => {
    await list(3, { category: 'Music' });
    const text = await page('/?category=music');
    expect(text).to.include('<title>music · Latchkey</title>');
    expect(text).to.match(/>1 of 3 listings<\/p>\s*<p><a href="\/">Show all listings<\/a>/);
    expect(await page('/?category=none'))
      .to.include('No listing matches.')
      .and.include('href="/">Show all listings</a>');
  });

  it('lays up to four cards in pairs, and more where rows of three would leave gaps', async () => {
    const laid: boolean[] = [];
    for (const count of [1, 2, 3, 4, 5]) laid.push((await list(count)).includes('<ul class="cards few">'));
    expect(laid).to.deep.equal([true, true, true, true, false]);
  });
});

/** The listings of the cards of a page, in their order. */
function slugsIn(text: string): readonly string[] {
  return [...text.matchAll(/<h3 dir="auto"><a href="\/listings\/([^"]+)"/g)].map(([, slug = '']) => slug);
}
