import { expect } from 'chai';
import {
  everyListing,
  listCategories,
  listListings,
  type ListingFilter,
} from '../../../core/catalog/administration/list-listings.ts';
import { largestCategories } from '../../../core/catalog/listing-page.ts';
import { cursorAt } from '../../../core/paging/cursor.ts';
import { aCall, aListing } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';

const all: ListingFilter = { state: null, search: null, category: null };

describe('the administrator’s list of listings', () => {
  const store = freshStore(memory.open);
  beforeEach(async () => {
    const listings = range(6).map((number) =>
      aListing({
        id: `lst_${number}`,
        slug: `slug-${number}`,
        name: number % 2 === 0 ? 'Even' : 'Odd',
        category: number < 3 ? 'Writing' : 'music',
        state: number === 5 ? 'draft' : 'live',
      }),
    );
    await store().listings.put(listings, aCall());
  });

  const list = (filter: Partial<ListingFilter>, after: string | null = null, limit = 2) =>
    listListings(store().allListings)({ ...all, ...filter }, { after, limit }, aCall());
  /** The numbers of all pages of two. */
  const pages = async (filter: Partial<ListingFilter>): Promise<readonly string[]> => {
    const found: string[] = [];
    let after: string | null = null;
    do {
      const page = await list(filter, after);
      found.push(page.items.map(({ slug }) => slug.slice(5)).join(''));
      after = page.next;
    } while (after !== null);
    return found;
  };

  it('has every state, or one', async () => {
    expect(await pages({})).to.deep.equal(['01', '23', '45']);
    expect((await pages({ state: 'live' })).join('')).to.equal('01234');
    expect((await pages({ state: 'draft' })).join('')).to.equal('5');
  });

  it('has those of a search or of a category, in any case', async () => {
    expect((await pages({ search: 'odd' })).join('')).to.equal('135');
    expect((await pages({ search: 'WRITING ódd' })).join('')).to.equal('1');
    expect((await pages({ category: 'MUSIC' })).join('')).to.equal('345');
    expect((await pages({ category: 'WRITING', search: 'even' })).join('')).to.equal('02');
    expect((await pages({ category: 'none' })).join('')).to.equal('');
    expect((await pages({ search: ' ' })).join('')).to.equal('012345');
    for (const filter of [{ search: 'odd' }, { category: 'music', state: 'live' }] as const) {
      const every = everyListing(store().allListings)({ ...all, ...filter }, () => aCall());
      const found = await Array.fromAsync(every, ({ slug }) => slug.slice(5));
      expect(found.join('')).to.equal((await pages(filter)).join(''));
    }
  });

  it('reads no more than a page of all needs, and much at once for a search', async () => {
    const sizes: unknown[] = [];
    const listings = interposed(store().allListings, (method, [part]) => {
      if (method === 'page') sizes.push((part as { readonly limit: number }).limit);
    });
    const read = (filter: Partial<ListingFilter>) =>
      listListings(listings)({ ...all, ...filter }, { after: null, limit: 2 }, aCall());
    await read({ state: 'live' });
    await read({ search: 'odd' });
    await read({ category: 'music' });
    const [plain, ...filtered] = sizes;
    expect(plain).to.equal(3);
    for (const size of filtered) expect(size).to.be.greaterThan(3);
  });

  it('has a cursor for each filter, and goes on with those of earlier releases', async () => {
    const { next } = await list({});
    expect(next).to.equal(cursorAt(['listings', null], ['slug-1']));
    const ofSearch = (await list({ search: 'odd' })).next;
    expect(ofSearch).to.equal(cursorAt(['found listings', null, 'odd', null], ['slug-3']));
    for (const [filter, cursor] of [
      [{ search: 'odd' }, next],
      [{ category: 'music' }, next],
      [{ state: 'live' }, next],
      [{}, ofSearch],
      [{ search: 'even' }, ofSearch],
      [{ search: 'odd', category: 'music' }, ofSearch],
    ] as const)
      expect((await refusalOf(list(filter, cursor))).code).to.equal('invalid_parameter');
  });

  it('has the categories of every state', async () => {
    expect(await listCategories(store().allListings)(aCall())).to.deep.equal(['Writing', 'music']);
  });
});

describe('the largest categories', () => {
  it('count every spelling, and keep the order of those that are as large', () => {
    const counts = new Map([
      ['music', 1],
      ['Music', 2],
      ['Art', 3],
      ['Games', 7],
      ['gone', 9],
    ]);
    expect(largestCategories(counts, ['Music', 'Art', 'Games', 'None'])).to.deep.equal([
      { name: 'Games', count: 7 },
      { name: 'Music', count: 3 },
      { name: 'Art', count: 3 },
      { name: 'None', count: 0 },
    ]);
  });
});
