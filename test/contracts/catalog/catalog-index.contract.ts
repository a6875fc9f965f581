import { expect } from 'chai';
import * as fc from 'fast-check';
import { CatalogIndex } from '../../../adapters/catalog-index/catalog-index.ts';
import { distinctCategories } from '../../../core/catalog/listing-page.ts';
import type { ListingQuery } from '../../../core/catalog/listing-query.ts';
import { isLive, type Listing } from '../../../core/catalog/listing.ts';
import { listingOrders, queryListings } from '../../../core/catalog/query-listings.ts';
import { foldCase } from '../../../core/catalog/search-text.ts';
import { aCall, aListing } from '../../support/builders.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { anyCatalog, anyQuery, plainPage, plainRenderer, putCounted, queryOf } from '../../support/stores/catalogs.ts';
import { freshStore, type StoreUnderTest } from '../../support/stores/stores.ts';
import { listingsIn } from '../../support/stores/whole-lists.ts';

/** Holds the catalog index over a store to the oracle's answers, at any size and after any changes. */
export function catalogIndexContract({ name, open }: StoreUnderTest): void {
  describe(`the catalog index over the ${name} store`, () => {
    const store = freshStore(open);
    let index: CatalogIndex;
    beforeEach(() => {
      index = new CatalogIndex(store().listings, plainRenderer, (text) => text);
    });

    it('answers any query of any catalog, after any changes, as the oracle does', async () => {
      const queries = fc.array(anyQuery, { minLength: 1, maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(fc.array(anyCatalog, { minLength: 1, maxLength: 3 }), queries, async (catalogs, asked) => {
          for (const catalog of catalogs) {
            await putCounted(store().listings, catalog);
            await index.refresh(aCall());
            await expectOracle(asked);
          }
        }),
        { numRuns: rounds(25, 60) },
      );
    });

    it('answers as the oracle does while thousands of listings change, go and come back', async () => {
      await put(numbered(0, 1500));
      await index.refresh(aCall());
      const query = queryOf({ q: '7 tool', minCommission: '20', offset: '3' });
      for (let round = 0; round < rounds(3, 6); round += 1) {
        await put(numbered(round * 400, round * 400 + 1300, { name: `Round ${round}`, commissionPercent: 10 * round }));
        await put(numbered(round * 500, round * 500 + 200, { state: 'paused', storefrontCount: round }));
        await Promise.all([index.refresh(aCall()), index.page(query, aCall())]);
        // Small changes while the compaction after the large ones is still running.
        for (let number = 0; number < 20; number += 1) {
          await put(numbered(number, number + 2, { name: `Straggler ${round}` }));
          await index.refresh(aCall());
        }
        await expectOracle([
          queryOf({ q: `straggler ${round}` }),
          query,
          queryOf({ sort: 'reward', q: `round-${round}`, limit: '48' }),
          queryOf({ sort: 'new', offset: '1700' }),
        ]);
      }
    });

    it('pages through any query without gaps or repeats', async () => {
      await put(numbered(0, 130, { category: 'Walks' }));
      await index.refresh(aCall());
      const all = await stored();
      const asked = fc.record({ query: anyQuery, limit: fc.integer({ min: 1, max: 48 }) });
      await fc.assert(
        fc.asyncProperty(asked, async ({ query, limit }) => {
          const walked: unknown[] = [];
          for (let offset = 0; ; offset += limit) {
            const page = await answer({ ...query, offset, limit });
            walked.push(...page.listings);
            if (!page.meta.hasMore) break;
          }
          const whole = queryListings(all, { ...query, offset: 0, limit: Number.MAX_SAFE_INTEGER });
          expect({ listings: walked }).to.deep.equal({ listings: (plainPage(whole) as typeof whole).listings });
        }),
        { numRuns: 20 },
      );
    });

    it('finds a live listing by its slug, and no other', async () => {
      await put([aListing(), aListing({ slug: 'draft', id: 'lst_2', state: 'draft' })]);
      await index.refresh(aCall());
      const found = await index.find('quiet-editor');
      expect(JSON.parse(found?.text ?? 'null')).to.deep.equal(JSON.parse(JSON.stringify(aListing())));
      expect(index.listing('quiet-editor')).to.deep.equal(aListing());
      expect(await index.find('draft')).to.equal(null);
      expect(index.listing('draft')).to.equal(null);
      await store().listings.setState('quiet-editor', 'paused', aCall());
      await index.refresh(aCall());
      expect(await index.find('quiet-editor')).to.equal(null);
      expect(index.listing('quiet-editor')).to.equal(null);
    });

    it('has another revision after a change of what it shows, and only then', async () => {
      const seen: number[] = [];
      const refreshed = async (): Promise<void> => {
        await index.refresh(aCall());
        seen.push(index.revision());
      };
      await put([aListing()]);
      await refreshed();
      await refreshed();
      await put([aListing({ name: 'Loud Editor' })]);
      await refreshed();
      await refreshed();
      await store().listings.setStorefronts('quiet-editor', 2, aCall());
      await refreshed();
      await refreshed();
      const [first, second, changed, last, counted, end] = seen;
      expect([second, last, end]).to.deep.equal([first, changed, counted]);
      expect(new Set([first, changed, counted])).to.have.lengthOf(3);
      expect(index.listing('quiet-editor')).to.include({ storefronts: 2 });
    });

    /** Compares the answers to queries with those of an array. */
    async function expectOracle(queries: readonly ListingQuery[]): Promise<void> {
      const all = await stored();
      for (const query of queries) {
        const expected = plainPage(queryListings(all, query));
        expect(await answer(query)).to.deep.equal(expected);
        expect(plainPage(await index.listingPage(query, aCall()))).to.deep.equal(expected);
      }
      expectCounts(all);
    }

    /** Compares the categories and the featured listings with those of an array. */
    function expectCounts(all: readonly Listing[]): void {
      const live = all.filter(isLive).toSorted(listingOrders.charts);
      const counts = Map.groupBy(live, ({ category }) => foldCase(category));
      const named = distinctCategories(live.map(({ category }) => category));
      const expected = named.map((each) => ({ name: each, count: counts.get(foldCase(each))?.length ?? 0 }));
      expect(index.categories()).to.deep.equal(expected.toSorted((a, b) => b.count - a.count));
      expect(index.featured(2)).to.deep.equal(live.filter(({ featured }) => featured).slice(0, 2));
    }

    async function answer(query: ListingQuery): Promise<{ listings: unknown[]; meta: { hasMore: boolean } }> {
      return JSON.parse((await index.page(query, aCall())).text) as { listings: unknown[]; meta: { hasMore: boolean } };
    }

    async function put(listings: readonly Listing[]): Promise<void> {
      await store().listings.put(listings, aCall());
    }

    function stored(): Promise<readonly Listing[]> {
      return listingsIn(store());
    }
  });
}

function numbered(from: number, to: number, overrides: Partial<Listing> = {}): readonly Listing[] {
  return Array.from({ length: to - from }, (_, position) => {
    const number = from + position;
    return aListing({
      id: `lst_${number}`,
      slug: `tool-${number}`,
      blurb: `Number ${number} of many`,
      category: `Category ${number % 7}`,
      storefrontCount: (number * 7919) % 101,
      commissionPercent: (number * 31) % 60,
      ...overrides,
    });
  });
}
