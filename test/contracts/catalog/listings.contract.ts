import { expect } from 'chai';
import * as fc from 'fast-check';
import type { ListingPart } from '../../../core/catalog/administration/all-listings.port.ts';
import { listingStates, type Listing } from '../../../core/catalog/listing.ts';
import type { CatalogChanges } from '../../../core/catalog/listings.port.ts';
import { aCall, aListing, everyAffiliateMember, everyPageMember, later } from '../../support/builders.ts';
import { inCodePointOrder } from '../../support/code-points.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { anyCatalog } from '../../support/stores/catalogs.ts';
import { beside, freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { listingsIn } from '../../support/stores/whole-lists.ts';
import { thrownBy } from '../../support/thrown.ts';

const first = aListing({ id: 'lst_1', slug: 'first' });
const second = aListing({ id: 'lst_2', slug: 'second' });

export function listingsContract(open: OpenStore): void {
  describe('Listings', () => {
    const store = freshStore(open);

    it('loads nothing from an empty catalog, and has no changes after it', async () => {
      const { live, cursor } = await store().listings.load(aCall());
      expect(live).to.deep.equal([]);
      expect(await changesAfter(cursor)).to.deep.equal({ changed: [], removed: [] });
    });

    it('loads every member of live listings, and no other listing', async () => {
      const odd = aListing({
        id: 'lst_9',
        slug: 'odd',
        name: 'O\'Neill "🚀" \\ %_\u0000',
        commissionPercent: 12.5,
        compensationType: 'both',
        featured: true,
        upfrontCents: 9_007_199_254_740_991,
        ...everyPageMember,
        ...everyAffiliateMember,
        productId: 'prod_1',
        url: 'https://tidy.example/?q=%20#a',
        imageUrl: `https://images.example/${'x'.repeat(2025)}`,
      });
      await put(odd, aListing({ slug: 'a-draft', id: 'lst_d', state: 'draft' }));
      await put(aListing({ slug: 'a-paused', id: 'lst_p', state: 'paused' }));
      expect((await store().listings.load(aCall())).live).to.deep.equal([odd]);
    });

    it('lists every listing, whatever its state, by slug in code-point order', async () => {
      const inOrder = inCodePointOrder.map((slug, position) =>
        aListing({ slug, id: `lst_${position}`, state: listingStates[position % 3] ?? 'live' }),
      );
      await put(...inOrder.toReversed());
      expect(await listed()).to.deep.equal(inOrder);
    });

    it('lists the listings in one state, page by page, and finds each by its slug', async () => {
      const many = range(9).map((number) =>
        aListing({ slug: `many-${number}`, id: `lst_${number}`, state: listingStates[number % 3] ?? 'live' }),
      );
      await put(...many.toReversed());
      const page = (after: number | null, limit: number): Promise<readonly Listing[]> =>
        store().allListings.page(
          { products: null, state: 'live', after: after === null ? null : `many-${after}`, limit },
          aCall(),
        );
      expect(await page(null, 9)).to.deep.equal([many[1], many[4], many[7]]);
      expect(await page(null, 2)).to.deep.equal([many[1], many[4]]);
      expect(await page(4, 2)).to.deep.equal([many[7]]);
      expect(await page(7, 2)).to.deep.equal([]);
      expect(await store().allListings.find('many-5', aCall())).to.deep.equal(many[5]);
      expect(await store().allListings.find('many-50', aCall())).to.equal(null);
    });

    it('have their categories in code-point order, each once, up to a limit', async () => {
      const categories = ['b', 'A', 'a', 'b', 'é', 'Z'];
      const made = categories.map((category, index) =>
        aListing({ id: `lst_${index}`, slug: `c-${index}`, category, productId: index === 1 ? null : `prod_${index}` }),
      );
      await store().listings.put(made, aCall());
      const found = (products: readonly string[] | null, limit: number): Promise<readonly string[]> =>
        store().allListings.categories(products, limit, aCall());
      expect(await found(null, 9)).to.deep.equal(['A', 'Z', 'a', 'b', 'é']);
      expect(await found(null, 2)).to.deep.equal(['A', 'Z']);
      expect(await found(['prod_5', 'prod_3', 'prod_0', 'none'], 9)).to.deep.equal(['Z', 'b']);
      expect(await found(['prod_5', 'prod_3'], 1)).to.deep.equal(['Z']);
      expect(await found([], 9)).to.deep.equal([]);
    });

    it('keeps the publication of a known slug if the listing has none, and takes the call for a new one', async () => {
      await put(first);
      const undated = [first, second].map((listing) => ({ ...listing, name: 'Renamed', publishedAt: null }));
      await store().listings.put(undated, aCall({ now: later(5) }));
      expect(await listed()).to.deep.equal([
        { ...first, name: 'Renamed' },
        { ...second, name: 'Renamed', publishedAt: later(5) },
      ]);
    });

    it('shows a deletion to every follower, and frees the id and the slug', async () => {
      await put(first, second);
      const { cursor } = await store().listings.load(aCall());
      await beside(store(), async (other) => {
        expect(await other.allListings.delete('first', null, aCall())).to.equal(1);
        expect(await other.allListings.delete('first', null, aCall())).to.equal(0);
      });
      const changes = await store().listings.changesSince(cursor, aCall());
      if (changes.kind === 'changes') expect(changes.removed).to.deep.equal(['first']);
      expect((await store().listings.load(aCall())).live).to.deep.equal([second]);
      expect(
        await store().listings.put([{ ...first, slug: 'heir' }, aListing({ id: 'lst_3', slug: 'first' })], aCall()),
      ).to.deep.equal(['stored', 'stored']);
    });

    it('deletes once for twenty deletions at once', async () => {
      await put(first);
      const deleted = await Promise.all(range(20).map(() => store().allListings.delete('first', null, aCall())));
      expect(deleted.filter((count) => count === 1)).to.have.lengthOf(1);
      expect(await listed()).to.deep.equal([]);
    });

    it('replaces the listing with the same slug, and keeps its id', async () => {
      await put(first);
      await put(aListing({ ...second, slug: 'first', name: 'Renamed', state: 'paused' }));
      expect(await listed()).to.deep.equal([
        aListing({ id: 'lst_1', slug: 'first', name: 'Renamed', state: 'paused' }),
      ]);
    });

    it('refuses an id that another slug has, and stores the rest of the batch', async () => {
      await put(first);
      const outcomes = await store().listings.put([aListing({ id: 'lst_1', slug: 'thief' }), second], aCall());
      expect(outcomes).to.deep.equal(['id taken', 'stored']);
      expect(await listed()).to.deep.equal([first, second]);
    });

    it('finds existing slugs and ids, whatever the state of the listing', async () => {
      await put({ ...first, state: 'draft' }, second);
      const keys = { slugs: ['first', 'third', 'lst_2', 'second'], ids: ['lst_2', 'lst_3', 'first'] };
      expect(await store().listings.findExisting(keys, aCall())).to.deep.equal({
        slugs: new Set(['first', 'second']),
        ids: new Set(['lst_2']),
      });
      expect(await store().listings.findExisting({ slugs: [], ids: [] }, aCall())).to.deep.equal({
        slugs: new Set(),
        ids: new Set(),
      });
    });

    it('changes only the state of a listing', async () => {
      await put(first);
      expect(await store().listings.setState('first', 'paused', aCall())).to.equal('stored');
      expect(await listed()).to.deep.equal([{ ...first, state: 'paused' }]);
      expect(await store().listings.setState('unknown', 'live', aCall())).to.equal('not found');
    });

    it('leaves a listing that is in the state already', async () => {
      await put(first);
      const { cursor } = await store().listings.load(aCall());
      expect(await store().listings.setState('first', 'live', aCall())).to.equal('unchanged');
      expect(await listed()).to.deep.equal([first]);
      expect(await store().listings.setState('first', 'paused', aCall())).to.equal('stored');
      expect((await changesAfter(cursor)).removed).to.deep.equal(['first']);
    });

    it('returns what was added, changed, paused and published again since a cursor', async () => {
      await put(first, second);
      const { cursor } = await store().listings.load(aCall());
      await store().listings.setState('first', 'paused', aCall());
      await put(aListing({ ...second, name: 'Renamed' }));
      await put(aListing({ slug: 'third', id: 'lst_3' }));
      expect(await changesAfter(cursor)).to.deep.equal({
        changed: [aListing({ ...second, name: 'Renamed' }), aListing({ slug: 'third', id: 'lst_3' })],
        removed: ['first'],
      });
      await store().listings.setState('first', 'live', aCall());
      expect((await changesAfter(cursor)).removed).to.deep.equal([]);
    });

    it('returns changes with a cursor, after which they do not come again', async () => {
      const { cursor } = await store().listings.load(aCall());
      await put(first);
      const changes = await store().listings.changesSince(cursor, aCall());
      if (changes.kind === 'too old') throw new Error('the cursor was just given');
      await put(second);
      expect(await changesAfter(changes.cursor)).to.deep.equal({ changed: [second], removed: [] });
    });

    it('returns a listing that changed many times once, as it is now', async () => {
      const { cursor } = await store().listings.load(aCall());
      for (let name = 0; name < 5; name += 1) await put(aListing({ ...first, name: String(name) }));
      expect((await changesAfter(cursor)).changed).to.deep.equal([aListing({ ...first, name: '4' })]);
    });

    it('returns more changes than one page', async () => {
      const { cursor } = await store().listings.load(aCall());
      const many = range(450).map((number) => aListing({ slug: `many-${number}`, id: `lst_${number}` }));
      await put(...many);
      expect((await changesAfter(cursor)).changed).to.deep.equal(many.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)));
      expect((await store().listings.load(aCall())).live.length).to.equal(450);
      expect((await listed()).length).to.equal(450);
    });

    it('returns the changes that another process has made', async () => {
      const { cursor } = await store().listings.load(aCall());
      await beside(store(), async (other) => {
        await other.listings.put([first], aCall());
        expect(await changesAfter(cursor)).to.deep.equal({ changed: [first], removed: [] });
        await store().listings.setState('first', 'paused', aCall());
        expect((await other.listings.load(aCall())).live).to.deep.equal([]);
      });
    });

    for (const when of moments) {
      it(`ends in the same catalog if a write fails ${when} it takes effect and is retried`, async () => {
        const listings = failing(store().listings, { method: 'put', nth: 1, when });
        expect(await thrownBy(listings.put([first, second], aCall()))).to.be.instanceOf(InjectedFault);
        expect(await listings.put([first, second], aCall())).to.deep.equal(['stored', 'stored']);
        expect(await listed()).to.deep.equal([first, second]);
      });
    }

    it('keeps one id of twenty listings that are put under one slug at once', async () => {
      const { cursor } = await store().listings.load(aCall());
      const racers = range(20).map((number) => aListing({ slug: 'one', id: `lst_${number}` }));
      const outcomes = await Promise.all(racers.map((listing) => store().listings.put([listing], aCall())));
      expect(outcomes.flat()).to.deep.equal(racers.map(() => 'stored'));
      const stored = await listed();
      expect(stored.length).to.equal(1);
      expect((await changesAfter(cursor)).changed).to.deep.equal(stored);
    });

    it('lets one of twenty writers replace the listing that all have seen', async () => {
      await put(first, second);
      const { cursor } = await store().listings.load(aCall());
      await beside(store(), async (other) => {
        const racers = range(20).map((number): Listing => ({ ...first, name: `Racer ${number}` }));
        const outcomes = await Promise.all(
          racers.map((next, number) => (number % 2 === 0 ? store() : other).listings.replace(first, next, aCall())),
        );
        const winners = racers.filter((_, number) => outcomes[number]?.kind === 'replaced');
        expect(winners).to.have.lengthOf(1);
        expect(await listed()).to.deep.equal([...winners, second]);
        expect((await changesAfter(cursor)).changed).to.deep.equal(winners);
      });
    });

    it('lets one of twenty writers add a listing where all have seen none', async () => {
      const racers = range(20).map((number) => aListing({ slug: 'one', id: `lst_${number}` }));
      const outcomes = await Promise.all(racers.map((next) => store().listings.replace(null, next, aCall())));
      const winners = racers.filter((_, number) => outcomes[number]?.kind === 'replaced');
      expect(winners).to.have.lengthOf(1);
      expect(await listed()).to.deep.equal(winners);
      const thieves = winners.map((winner) => ({ ...winner, slug: 'thief' }));
      expect(await store().listings.put(thieves, aCall())).to.deep.equal(['id taken']);
    });

    it('keeps the product of a listing that is put without one, and changes it otherwise', async () => {
      const { productId: _productId, ...without } = second;
      const productOf = async (slug: string) => (await store().allListings.find(slug, aCall()))?.productId;
      await store().listings.put([without], aCall());
      expect(await productOf('second')).to.equal(null);
      await put({ ...second, productId: 'prod_1' });
      await store().listings.put([{ ...without, name: 'Renamed' }], aCall());
      expect(await store().allListings.find('second', aCall())).to.include({ name: 'Renamed', productId: 'prod_1' });
      await store().listings.setState('second', 'paused', aCall());
      expect(await productOf('second')).to.equal('prod_1');
      await put({ ...second, productId: null });
      expect(await productOf('second')).to.equal(null);
    });

    const remove = (slug: string, ...products: readonly string[]) =>
      store().allListings.delete(slug, new Set(products), aCall());

    const slugs = async (part: Partial<ListingPart>): Promise<readonly string[]> => {
      const whole = { products: ['prod_1', 'prod_3'], state: null, after: null, limit: 99, ...part };
      return (await store().allListings.page(whole, aCall())).map(({ slug }) => slug);
    };

    it('lists and deletes the listings of some products', async () => {
      const owners = ['prod_1', 'prod_2', null, 'prod_3'];
      const all = range(12).map((index) =>
        aListing({
          slug: `of-${String(index).padStart(2, '0')}`,
          id: `of_${index}`,
          productId: owners[index % 4] ?? null,
          state: index < 8 ? 'live' : 'draft',
        }),
      );
      await put(...all);
      expect(await slugs({})).to.deep.equal(['of-00', 'of-03', 'of-04', 'of-07', 'of-08', 'of-11']);
      expect(await slugs({ state: 'live', after: 'of-00', limit: 2 })).to.deep.equal(['of-03', 'of-04']);
      expect(await slugs({ products: ['prod_2', 'none'] })).to.deep.equal(['of-01', 'of-05', 'of-09']);
      expect(await slugs({ products: [] })).to.deep.equal([]);
      expect([await remove('of-00', 'prod_2'), await remove('of-02', 'prod_1'), await remove('of-00')]).to.deep.equal([
        0, 0, 0,
      ]);
      expect(await remove('of-00', 'prod_2', 'prod_1')).to.equal(1);
      expect(await slugs({ limit: 1 })).to.deep.equal(['of-03']);
    });

    it('deletes nothing of another product, which takes the slug meanwhile', async () => {
      for (const round of range(20)) {
        const own = aListing({ slug: `raced-${round}`, id: `own-${round}`, productId: 'prod_1' });
        const others = { ...own, id: `others-${round}`, productId: 'prod_2' };
        await put(own);
        const take = async (): Promise<void> => {
          while ((await store().listings.replace(null, others, aCall())).kind === 'stale');
        };
        const [, ...deleted] = await Promise.all([take(), ...range(5).map(() => remove(own.slug, 'prod_1'))]);
        expect(deleted).to.have.members([0, 0, 0, 0, 1]);
        expect(await store().allListings.find(own.slug, aCall())).to.deep.equal(others);
      }
    });

    it('replaces no listing that differs in one member from what was seen', async () => {
      await put(second);
      const others: readonly Partial<Listing>[] = [
        { id: 'lst_9' },
        { slug: 'third' },
        { name: 'Another' },
        { blurb: '' },
        { category: 'Another' },
        { commissionPercent: 12.5 },
        { compensationType: 'both' },
        { compensationLabel: 'Another' },
        { featured: !second.featured },
        { storefrontCount: 99 },
        { state: 'paused' },
        { publishedAt: later(1) },
        { upfrontCents: 99 },
        ...Object.entries(everyPageMember).map(([name, value]) => ({ [name]: value })),
        ...Object.entries(everyAffiliateMember).map(([name, value]) => ({ [name]: value })),
        { productId: 'prod_1' },
      ];
      const { storefronts: _storefronts, ...written } = second;
      expect(others.flatMap((members) => Object.keys(members))).to.have.members(Object.keys(written));
      for (const members of others) {
        const seen = { ...second, ...members };
        const next = { ...seen, name: 'Replaced' };
        expect(await store().listings.replace(seen, next, aCall())).to.deep.equal({ kind: 'stale' });
      }
      for (const taken of [{ slug: 'second' }, { id: 'lst_2' }]) {
        const next = aListing({ id: 'lst_9', slug: 'third', ...taken });
        expect(await store().listings.replace(null, next, aCall())).to.deep.equal({ kind: 'stale' });
      }
      expect(await listed()).to.deep.equal([second]);
      const next: Listing = { ...second, name: 'Replaced', state: 'draft', url: 'https://tidy.example/' };
      expect(await store().listings.replace(second, next, aCall())).to.deep.equal({ kind: 'replaced' });
      expect(await listed()).to.deep.equal([next]);
    });

    it('writes how many storefronts a listing has, which counts as a change', async () => {
      await put(first, second);
      const { cursor } = await store().listings.load(aCall());
      const counted = (slug: string, count: number) => store().listings.setStorefronts(slug, count, aCall());
      expect(await counted('first', 3)).to.equal('stored');
      expect(await counted('unknown', 3)).to.equal('not found');
      const changes = await store().listings.changesSince(cursor, aCall());
      if (changes.kind === 'too old') expect((await store().listings.load(aCall())).live).to.have.lengthOf(2);
      else expect(changes).to.deep.include({ changed: [{ ...first, storefronts: 3 }], removed: [] });
      expect(await listed()).to.deep.equal([{ ...first, storefronts: 3 }, second]);
      const { cursor: counts } = await store().listings.load(aCall());
      expect(await counted('first', 3)).to.equal('unchanged');
      expect(await counted('second', 0)).to.equal('unchanged');
      await put({ ...second, name: 'Renamed' });
      expect((await changesAfter(counts)).changed.filter(({ slug }) => slug === 'first')).to.deep.equal([]);
      expect(await counted('first', 0)).to.equal('stored');
      expect(await listed()).to.deep.equal([first, { ...second, name: 'Renamed' }]);
    });

    it('keeps the storefronts of a listing that is put, replaced or set to a state, and gives none to a new one', async () => {
      const counted = { ...first, storefronts: 7 };
      const written = { ...first, storefronts: 3 };
      await put(counted, { ...second, storefronts: 7 });
      expect(await listed()).to.deep.equal([first, second]);
      await store().listings.setStorefronts('first', 3, aCall());
      await put({ ...counted, name: 'Put' });
      expect(await listed()).to.deep.equal([{ ...written, name: 'Put' }, second]);
      const next = { ...counted, name: 'Replaced', storefronts: 9 };
      const outcome = await store().listings.replace({ ...counted, name: 'Put' }, next, aCall());
      expect(outcome).to.deep.equal({ kind: 'replaced' });
      await store().listings.setState('first', 'paused', aCall());
      const replaced: Listing = { ...written, name: 'Replaced', state: 'paused' };
      expect(await listed()).to.deep.equal([replaced, second]);
      await store().allListings.delete('first', null, aCall());
      expect(await store().listings.replace(null, counted, aCall())).to.deep.equal({ kind: 'replaced' });
      expect(await listed()).to.deep.equal([first, second]);
    });

    it('loses neither a change of a listing nor its storefronts if both are written at once', async () => {
      await put(first);
      await beside(store(), async (other) => {
        for (const round of range(5)) {
          const seen = (await store().allListings.find('first', aCall())) ?? first;
          const next = { ...seen, name: `Replaced ${round}` };
          const counted = (count: number) => other.listings.setStorefronts('first', count, aCall());
          const [replaced] = await Promise.all([
            store().listings.replace(seen, next, aCall()),
            ...range(10).map((count) => counted(10 * round + count)),
          ]);
          expect(replaced).to.deep.equal({ kind: 'replaced' });
          const [one] = await listed();
          expect(one?.name).to.equal(next.name);
          expect(one?.storefronts).to.be.within(10 * round, 10 * round + 9);
          const renamed = { ...next, name: `Put ${round}` };
          await Promise.all([...range(10).map(() => put(renamed)), counted(1000 + round)]);
          expect(await listed()).to.deep.equal([{ ...renamed, storefronts: 1000 + round }]);
        }
      });
    });

    it('says which listings were deleted, so that nobody has to load the others again', async () => {
      await put(aListing({ id: 'lst_1', slug: 'first' }), aListing({ id: 'lst_2', slug: 'second' }));
      const { cursor } = await store().listings.load(aCall());
      await store().allListings.delete('first', null, aCall());
      expect(await changesAfter(cursor)).to.deep.equal({ changed: [], removed: ['first'] });
      const again = aListing({ id: 'lst_3', slug: 'first' });
      await put(again);
      await store().allListings.delete('second', null, aCall());
      expect(await changesAfter(cursor)).to.deep.equal({ changed: [again], removed: ['second'] });
      await store().allListings.delete('first', null, aCall());
      expect((await changesAfter(cursor)).removed.toSorted()).to.deep.equal(['first', 'second']);
    });

    it('misses no change of any sequence, read at any point', async () => {
      const steps = fc.array(fc.record({ catalog: anyCatalog, read: fc.boolean(), isDeleted: fc.boolean() }), {
        maxLength: 5,
      });
      await fc.assert(
        fc.asyncProperty(steps, async (sequence) => {
          const loaded = await store().listings.load(aCall());
          const followed = new Map(loaded.live.map((listing) => [listing.slug, listing]));
          let { cursor } = loaded;
          for (const { catalog, read, isDeleted } of [...sequence, { catalog: [], read: true, isDeleted: false }]) {
            await store().listings.put(catalog, aCall());
            const [one] = isDeleted ? catalog : [];
            if (one !== undefined) await store().allListings.delete(one.slug, null, aCall());
            if (!read) continue;
            const changes = await store().listings.changesSince(cursor, aCall());
            if (changes.kind === 'too old') throw new Error('the cursor was given a moment ago');
            for (const slug of changes.removed) followed.delete(slug);
            for (const listing of changes.changed) followed.set(listing.slug, listing);
            ({ cursor } = changes);
          }
          const live = (await listed()).filter(({ state }) => state === 'live');
          expect(sorted([...followed.values()])).to.deep.equal(live);
        }),
        { numRuns: 25 },
      );
    });

    async function put(...given: readonly Listing[]): Promise<void> {
      await store().listings.put(given, aCall());
    }

    function listed(): Promise<readonly Listing[]> {
      return listingsIn(store());
    }

    async function changesAfter(cursor: string): Promise<{ changed: readonly Listing[]; removed: readonly string[] }> {
      const changes: CatalogChanges = await store().listings.changesSince(cursor, aCall());
      if (changes.kind === 'too old') throw new Error('the cursor was just given');
      return { changed: sorted(changes.changed), removed: changes.removed };
    }
  });
}

function sorted(listings: readonly Listing[]): readonly Listing[] {
  return listings.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
}
