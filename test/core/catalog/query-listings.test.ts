import { expect } from 'chai';
import type { ListingParameter } from '../../../core/catalog/listing-query.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { queryListings } from '../../../core/catalog/query-listings.ts';
import { aListing, later } from '../../support/builders.ts';
import { queryOf } from '../../support/stores/catalogs.ts';

describe('querying listings', () => {
  it('shows and counts live listings only', () => {
    const shown = aListing();
    const hidden = [aListing({ id: 'd', state: 'draft', category: 'Hidden' }), aListing({ id: 'p', state: 'paused' })];
    expect(queryListings([...hidden, shown], queryOf({}))).to.deep.equal({
      listings: [shown],
      meta: { total: 1, offset: 0, limit: 24, hasMore: false },
      categories: ['Writing'],
    });
  });

  it('finds a listing if each term occurs in one of its fields', () => {
    const listing = aListing({ name: 'Café Noir', blurb: 'Dark mode!', category: 'Editors', slug: 'x-42.beta' });
    for (const q of ['cafe', 'AFÉ', 'noir café', 'ode! dito', '-42.b', 'k m', '!'])
      expect(found([listing], { q })).to.equal('lst_1');
    for (const q of ['cafenoir', 'café blanc', 'noirdark', 'commission', '.*', 'd%k', 'lst_1'])
      expect(found([listing], { q })).to.equal('');
  });

  it('finds letters without a decomposition by either spelling, and does not order by it', () => {
    const listings = ['Łódź Fonts', 'Lodz Maps', 'Straße Maps'].map((name, n) =>
      aListing({ name, id: `l${n}`, slug: `s${n}`, storefrontCount: 1 }),
    );
    const names = { lodz: 'l0 l1', ŁÓDŹ: 'l0 l1', strasse: 'l2', STRAẞE: 'l2', 'traß ma': 'l2', straze: '' };
    for (const [q, ids] of Object.entries(names)) expect(found(listings, { q }), q).to.equal(ids);
    expect(found(listings, {})).to.equal('l0 l1 l2');
  });

  it('does not distinguish the two lower-case forms of sigma', () => {
    const listing = aListing({ name: 'Σίσυφος', category: 'ΟΔΟΣ' });
    const total = (given: Parameters<typeof queryOf>[0]): number => queryListings([listing], queryOf(given)).meta.total;
    expect(['σισ', 'ΣΊΣ', 'Σίσυφος', 'ΣΊΣΥΦΟΣ'].map((q) => total({ q }))).to.deep.equal([1, 1, 1, 1]);
    expect(['ΟΔΟΣ', 'οδος', 'οδοσ'].map((category) => total({ category }))).to.deep.equal([1, 1, 1]);
    const other = aListing({ category: 'οδοσ' });
    expect(queryListings([listing, other], queryOf({})).categories).to.deep.equal(['ΟΔΟΣ']);
  });

  it('filters by each criterion', () => {
    const listings = [
      aListing({ id: 'a', compensationType: 'both', commissionPercent: 20, storefrontCount: 10 }),
      aListing({
        id: 'b',
        compensationType: 'upfront',
        commissionPercent: 19.99,
        storefrontCount: 1,
        category: 'Ärzte',
      }),
    ];
    expect(found(listings, { compensation: 'both' })).to.equal('a');
    expect(found(listings, { compensation: 'commission' })).to.equal('');
    expect(found(listings, { minCommission: '20' })).to.equal('a');
    expect(found(listings, { minStorefronts: '5' })).to.equal('a');
    expect(found(listings, { minStorefronts: '1' })).to.equal('a b');
    expect(found(listings, { category: 'ÄRZTE' })).to.equal('b');
    expect(found(listings, { category: 'arzte' })).to.equal('');
  });

  it('orders by the sort and then by id in code-point order, and ignores featured', () => {
    const listings = [
      aListing({ id: 'b', storefrontCount: 1, commissionPercent: 50, upfrontCents: 1, publishedAt: later(1) }),
      aListing({ id: 'a', storefrontCount: 9, commissionPercent: 20, publishedAt: later(2), featured: true }),
      aListing({ id: 'B', storefrontCount: 9, commissionPercent: 20, publishedAt: later(2) }),
      aListing({ id: 'c', storefrontCount: 9, commissionPercent: 50, upfrontCents: 0, publishedAt: later(3) }),
      aListing({ id: 'd', storefrontCount: 8, commissionPercent: 50, upfrontCents: 0, publishedAt: later(0) }),
    ];
    expect(found(listings, { sort: 'charts' })).to.equal('c B a d b');
    expect(found(listings, { sort: 'new' })).to.equal('c B a b d');
    expect(found(listings, { sort: 'reward' })).to.equal('b c d B a');
  });

  it('orders rewards by commission, then by payment, then by storefronts, then by id', () => {
    const listings = [
      aListing({ id: 'e', commissionPercent: 20, upfrontCents: 9, storefrontCount: 9 }),
      aListing({ id: 'd', commissionPercent: 30, upfrontCents: 1, storefrontCount: 9 }),
      aListing({ id: 'c', commissionPercent: 30, upfrontCents: 2, storefrontCount: 1 }),
      aListing({ id: 'b', commissionPercent: 30, upfrontCents: 2, storefrontCount: 1 }),
      aListing({ id: 'a', commissionPercent: 30, upfrontCents: 2, storefrontCount: 2 }),
    ];
    expect(found(listings, { sort: 'reward' })).to.equal('a b c d e');
    expect(found(listings.toReversed(), { sort: 'reward' })).to.equal('a b c d e');
  });

  it('counts the storefronts elsewhere and those here alike, in sorts and in the filter', () => {
    const listings = [
      aListing({ id: 'a', storefrontCount: 9, storefronts: 0 }),
      aListing({ id: 'b', storefrontCount: 7, storefronts: 3 }),
      aListing({ id: 'c', storefrontCount: 0, storefronts: 11 }),
      aListing({ id: 'd', storefrontCount: 9, storefronts: 1, commissionPercent: 40 }),
    ];
    expect(found(listings, { sort: 'charts' })).to.equal('c d b a');
    expect(found(listings, { sort: 'reward' })).to.equal('d c b a');
    expect(found(listings, { minStorefronts: '10' })).to.equal('c d b');
    expect(found([aListing({ storefrontCount: 4, storefronts: 1 })], { minStorefronts: '5' })).to.equal('lst_1');
    expect(found([aListing({ storefrontCount: 3, storefronts: 1 })], { minStorefronts: '5' })).to.equal('');
  });

  it('returns the total, and whether more follows', () => {
    const listings = ['a', 'b', 'c'].map((id) => aListing({ id }));
    const meta = (offset: string, limit: string) => queryListings(listings, queryOf({ offset, limit })).meta;
    expect(meta('0', '2')).to.deep.equal({ total: 3, offset: 0, limit: 2, hasMore: true });
    expect(meta('1', '2')).to.deep.equal({ total: 3, offset: 1, limit: 2, hasMore: false });
    expect(meta('7', '2')).to.deep.equal({ total: 3, offset: 7, limit: 2, hasMore: false });
    expect(found(listings, { offset: '7' })).to.equal('');
  });

  it('names each category once, in code-point order, whatever the query', () => {
    const names = ['data', 'Ärzte', 'Data', '🚀', 'ｆ', 'DATA', 'Zoo'];
    const listings = names.map((category, number) => aListing({ id: String(number), category }));
    const { categories } = queryListings(listings, queryOf({ q: 'nothing has this' }));
    expect(categories).to.deep.equal(['DATA', 'Zoo', 'Ärzte', 'ｆ', '🚀']);
  });
});

function found(listings: readonly Listing[], given: Partial<Record<ListingParameter, string>>): string {
  const page = queryListings(listings, queryOf(given));
  return page.listings.map(({ id }) => id).join(' ');
}
