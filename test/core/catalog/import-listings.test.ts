import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { MemoryAllListings, MemoryListings } from '../../../adapters/memory/memory-listings.ts';
import { MemoryProducts } from '../../../adapters/memory/memory-products.ts';
import { importListings, type ListingDraft } from '../../../core/catalog/administration/import-listings.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { noPageMembers } from '../../../core/catalog/page-members.ts';
import { aCall, aListing, everyPageMember, later, noon, withoutPageMembers } from '../../support/builders.ts';

describe('an import of listings', () => {
  const {
    id: _id,
    featured: _featured,
    publishedAt: _publishedAt,
    upfrontCents: _cents,
    state: _state,
    productId: _productId,
    ...bare
  } = withoutPageMembers(aListing());
  const defaults = {
    id: 'lst_new',
    featured: false,
    publishedAt: noon,
    upfrontCents: 0,
    state: 'live',
    ...noPageMembers,
    productId: null,
  } as const;

  it('has a default for each member that a draft may leave out', async () => {
    expect(await imported(bare)).to.deep.equal({ ...bare, ...defaults });
  });

  const given: readonly Partial<ListingDraft>[] = [
    { id: 'lst_own' },
    { featured: true },
    { publishedAt: later(5) },
    { upfrontCents: 250 },
    { state: 'draft' },
    { state: 'paused' },
    ...Object.entries(everyPageMember).map(([name, value]) => ({ [name]: value })),
    { commissionFor: 'lifetime' },
    { cookieDays: 0 },
    { pictureAlt: '' },
  ];
  for (const member of given) {
    it(`keeps ${JSON.stringify(member)}`, async () => {
      expect(await imported({ ...bare, ...member })).to.deep.equal({ ...bare, ...defaults, ...member });
    });
  }
});

async function imported(draft: ListingDraft): Promise<Listing | undefined> {
  const store = new MemoryStore();
  const ports = [new MemoryListings(store), new MemoryAllListings(store), new MemoryProducts(store)] as const;
  expect(await importListings(...ports, () => 'lst_new')([draft], aCall())).to.deep.equal(['stored']);
  return store.listings.get(draft.slug)?.listing;
}
