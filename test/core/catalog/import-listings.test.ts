import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { MemoryAllListings, MemoryListings } from '../../../adapters/memory/memory-listings.ts';
import { MemoryProducts } from '../../../adapters/memory/memory-products.ts';
import { importListings, type ListingDraft } from '../../../core/catalog/administration/import-listings.ts';
import { noAffiliateMembers } from '../../../core/catalog/affiliate-members.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { noPageMembers } from '../../../core/catalog/page-members.ts';
import {
  aCall,
  aListing,
  aProduct,
  everyAffiliateMember,
  everyPageMember,
  later,
  noon,
  withoutHiddenMembers,
} from '../../support/builders.ts';

describe('an import of listings', () => {
  const {
    id: _id,
    featured: _featured,
    publishedAt: _publishedAt,
    upfrontCents: _cents,
    storefrontCount: _count,
    state: _state,
    productId: _productId,
    ...bare
  } = withoutHiddenMembers(aListing());
  const defaults = {
    id: 'lst_new',
    featured: false,
    publishedAt: noon,
    upfrontCents: 0,
    storefrontCount: 0,
    storefronts: 0,
    state: 'live',
    ...noPageMembers,
    ...noAffiliateMembers,
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
    { storefrontCount: 12 },
    { saleUrl: 'https://buy.example/' },
    { holdDays: 0 },
    { affiliates: 'none' },
  ];
  for (const member of given) {
    it(`keeps ${JSON.stringify(member)}`, async () => {
      expect(await imported({ ...bare, ...member })).to.deep.equal({ ...bare, ...defaults, ...member });
    });
  }

  const promoted: ListingDraft = { ...bare, ...everyAffiliateMember, commissionFor: 12, productId: 'prod_1' };
  const needed = 'is missing, which a listing with affiliates needs';

  it('stores a listing with affiliates that can be sold, and each that has none', async () => {
    const catalog = await aCatalog();
    const sold = [promoted, { ...promoted, affiliates: 'ask' }, { ...promoted, compensationType: 'both' }] as const;
    for (const draft of sold) {
      expect(await catalog.put(draft)).to.equal('stored');
      expect(catalog.find()).to.include({ affiliates: draft.affiliates, saleUrl: draft.saleUrl, holdDays: 45 });
    }
    const { saleUrl: _saleUrl, ...without } = promoted;
    expect(await catalog.put({ ...without, affiliates: 'none', compensationType: 'upfront' })).to.equal('stored');
    expect(catalog.find()).to.include({ affiliates: 'none', saleUrl: null, holdDays: 45 });
  });

  for (const affiliates of ['ask', 'open'] as const) {
    it(`refuses ${affiliates} without what affiliates need, and names it`, async () => {
      const catalog = await aCatalog();
      const { productId: _product, saleUrl: _saleUrl, commissionFor: _for, ...rest } = { ...promoted, affiliates };
      const missing = ['productId', 'saleUrl', 'commissionFor'].map((member) => ({ member, problem: needed }));
      expect(await catalog.put(rest)).to.deep.equal(missing);
      const upfront = { ...promoted, affiliates, compensationType: 'upfront' } as const;
      const problem = 'must be commission or both in a listing with affiliates';
      expect(await catalog.put(upfront)).to.deep.equal([{ member: 'compensationType', problem }]);
      for (const [index, member] of (['productId', 'saleUrl', 'commissionFor'] as const).entries()) {
        const { [member]: _left, ...lacking } = { ...promoted, affiliates };
        expect(await catalog.put(lacking)).to.deep.equal([missing[index]]);
      }
      expect(catalog.find()).to.equal(undefined);
    });
  }

  it('takes the product of the slug where a listing with affiliates names none', async () => {
    const catalog = await aCatalog();
    await catalog.put({ ...bare, productId: 'prod_1' });
    const { productId: _product, ...rest } = promoted;
    expect(await catalog.put(rest)).to.equal('stored');
    expect(catalog.find()).to.include({ affiliates: 'open', productId: 'prod_1' });
    expect(await catalog.put({ ...bare, productId: null })).to.equal('stored');
    expect(catalog.find()).to.include({ affiliates: 'none', productId: null });
    expect(await catalog.put(rest)).to.deep.equal([{ member: 'productId', problem: needed }]);
  });
});

async function aCatalog() {
  const store = new MemoryStore();
  const ports = [new MemoryListings(store), new MemoryAllListings(store), new MemoryProducts(store)] as const;
  await ports[2].add(aProduct());
  const importAll = importListings(...ports, () => 'lst_new');
  const { slug } = aListing();
  return {
    put: async (draft: ListingDraft) => (await importAll([draft], aCall()))[0],
    find: () => store.listings.get(slug)?.listing,
  };
}

async function imported(draft: ListingDraft): Promise<Listing | undefined> {
  const store = new MemoryStore();
  const ports = [new MemoryListings(store), new MemoryAllListings(store), new MemoryProducts(store)] as const;
  expect(await importListings(...ports, () => 'lst_new')([draft], aCall())).to.deep.equal(['stored']);
  return store.listings.get(draft.slug)?.listing;
}
