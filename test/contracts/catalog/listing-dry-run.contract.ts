import { expect } from 'chai';
import * as fc from 'fast-check';
import { dryRunOfListings, importListings } from '../../../core/catalog/administration/import-listings.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { aCall, aListing } from '../../support/builders.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { listingsIn } from '../../support/stores/whole-lists.ts';

/** Few slugs and ids, so that conflicts are frequent. */
const anyDraft = fc
  .record({
    slug: fc.constantFrom('one', 'two', 'three', 'four'),
    id: fc.constantFrom('lst_1', 'lst_2', 'lst_3', 'lst_4', 'lst_5'),
  })
  .map((names) => aListing(names));

const anyBatches = fc.array(fc.array(anyDraft, { maxLength: 5 }), { maxLength: 2 });

export function listingDryRunContract(open: OpenStore): void {
  describe('a dry run of an import of listings', () => {
    const store = freshStore(open);

    it('returns the outcomes of the import that follows, whatever is stored already, and stores nothing', async () => {
      const { allListings, listings, products } = store();
      const importAll = importListings(listings, allListings, products, () => 'lst_new');
      let run = 0;
      await fc.assert(
        fc.asyncProperty(anyBatches, anyBatches, async (earlier, batches) => {
          run += 1;
          const own = (drafts: readonly Listing[]): readonly Listing[] =>
            drafts.map((draft) => ({ ...draft, slug: `${draft.slug}-${run}`, id: `${draft.id}-${run}` }));
          for (const batch of earlier) await importAll(own(batch), aCall());
          const before = await listingsIn(store());
          const tried = dryRunOfListings(listings, allListings, products, () => 'lst_new')();
          const foretold = [];
          for (const batch of batches) foretold.push(await tried(own(batch), aCall()));
          expect(await listingsIn(store())).to.deep.equal(before);
          const happened = [];
          for (const batch of batches) happened.push(await importAll(own(batch), aCall()));
          expect(foretold).to.deep.equal(happened);
        }),
        { numRuns: 20 },
      );
    });

    it('remembers what it would have stored, for later batches too', async () => {
      const { allListings, listings, products } = store();
      const tried = dryRunOfListings(listings, allListings, products, () => 'lst_new')();
      const one = aListing({ slug: 'one', id: 'lst_1' });
      expect(await tried([one, one, { ...one, slug: 'two' }], aCall())).to.deep.equal(['stored', 'stored', 'id taken']);
      expect(
        await tried(
          [
            { ...one, slug: 'two' },
            { ...one, id: 'lst_2' },
          ],
          aCall(),
        ),
      ).to.deep.equal(['id taken', 'stored']);
      expect(await tried([aListing({ slug: 'two', id: 'lst_2' })], aCall())).to.deep.equal(['stored']);
    });
  });
}
