import { expect } from 'chai';
import { CatalogIndex } from '../../../adapters/catalog-index/catalog-index.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import type { ListingFilter } from '../../../core/catalog/administration/list-listings.ts';
import { aPromotion } from '../../support/affiliates/builders.ts';
import {
  aCall,
  aListing,
  aProduct,
  everyAffiliateMember,
  later,
  noon,
  withoutHiddenMembers,
} from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { plainRenderer } from '../../support/stores/catalogs.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { listingsIn } from '../../support/stores/whole-lists.ts';
import { refusalOf } from '../../support/thrown.ts';

const { id: _id, publishedAt: _publishedAt, ...draft } = aListing();

const everything: ListingFilter = { state: null, search: null, category: null };

describe('putting and deleting listings', () => {
  const store = freshStore(memory.open);
  const administration = (): Administration => administrationOf(store(), nodePlatform);

  it('adds a listing, and changes nothing when it is put again later', async () => {
    const first = await administration().putListing(draft, aCall());
    expect(first).to.deep.equal({ listing: { ...draft, id: first.listing.id, publishedAt: noon }, outcome: 'added' });
    const again = await administration().putListing(draft, aCall({ now: later(5) }));
    expect(again).to.deep.equal({ listing: first.listing, outcome: 'unchanged' });
  });

  it('refuses an unknown product, and keeps the known one where none is given', async () => {
    const { putListing, saveListing } = administration();
    const ofProduct = { ...draft, productId: 'prod_1' };
    const seen = { ...aListing(), ...ofProduct };
    for (const put of [putListing(ofProduct, aCall()), saveListing(null, ofProduct, aCall())])
      expect((await refusalOf(put)).code).to.equal('product_not_found');
    await store().products.add(aProduct(), aCall());
    const { listing } = await putListing({ ...ofProduct, id: seen.id }, aCall());
    const { productId: _productId, ...without } = draft;
    const again = await putListing({ ...without, name: 'Renamed' }, aCall({ now: later(5) }));
    expect(again).to.deep.equal({ listing: { ...listing, name: 'Renamed' }, outcome: 'replaced' });
    expect((await putListing({ ...without, name: 'Renamed' }, aCall({ now: later(9) }))).outcome).to.equal('unchanged');
  });

  it('replaces every member but the id, and the publication only if it is given', async () => {
    const { listing } = await administration().putListing({ ...draft, id: 'own' }, aCall());
    const renamed = { ...draft, id: 'other', name: 'Renamed' };
    expect(await administration().putListing(renamed, aCall({ now: later(5) }))).to.deep.equal({
      listing: { ...listing, name: 'Renamed' },
      outcome: 'replaced',
    });
    const dated = await administration().putListing({ ...renamed, publishedAt: later(9) }, aCall());
    expect(dated.listing.publishedAt).to.deep.equal(later(9));
  });

  it('changes nothing when it is put again with the same publication', async () => {
    const dated = { ...draft, publishedAt: later(9) };
    await administration().putListing(dated, aCall());
    const again = { ...dated, publishedAt: later(9) };
    expect((await administration().putListing(again, aCall())).outcome).to.equal('unchanged');
    const moved = { ...dated, publishedAt: later(10) };
    expect((await administration().putListing(moved, aCall())).outcome).to.equal('replaced');
  });

  it('replaces URLs, removes those that are left out, and changes nothing when they are put again', async () => {
    const without = withoutHiddenMembers(draft);
    const image = { ...without, imageUrl: 'https://tidy.example/1.png' };
    const outcomes = [];
    for (const each of [{ ...image, url: 'https://tidy.example' }, image, image, without, without]) {
      const { listing, outcome } = await administration().putListing(each, aCall());
      outcomes.push([listing.url, listing.imageUrl, outcome]);
    }
    expect(outcomes).to.deep.equal([
      ['https://tidy.example', image.imageUrl, 'added'],
      [null, image.imageUrl, 'replaced'],
      [null, image.imageUrl, 'unchanged'],
      [null, null, 'replaced'],
      [null, null, 'unchanged'],
    ]);
  });

  it('refuses a listing whose affiliates could not sell it, whether it is put or saved, and stores nothing', async () => {
    const { putListing, saveListing } = administration();
    const promoted = { ...draft, ...everyAffiliateMember, commissionFor: null, compensationType: 'upfront' } as const;
    const message =
      'productId is missing, which a listing with affiliates needs. ' +
      'commissionFor is missing, which a listing with affiliates needs. ' +
      'compensationType must be commission or both in a listing with affiliates.';
    for (const refused of [putListing(promoted, aCall()), saveListing(null, promoted, aCall())]) {
      expect(await refusalOf(refused)).to.deep.equal({ code: 'invalid_body', details: { message } });
    }
    expect(await listingsIn(store())).to.deep.equal([]);
  });

  it('keeps the product of a listing that gets affiliates, and its storefronts', async () => {
    const { putListing, saveListing } = administration();
    await store().products.add(aProduct(), aCall());
    await putListing({ ...draft, productId: 'prod_1' }, aCall());
    for (const handle of ['ada', 'bob', 'eve']) {
      await store().promotions.replace(null, aPromotion({ handle, slug: draft.slug }), aCall());
    }
    await store().listings.setStorefronts(draft.slug, 3, aCall());
    const { productId: _productId, ...unowned } = { ...draft, ...everyAffiliateMember, commissionFor: 12 } as const;
    const put = await putListing(unowned, aCall());
    expect(put).to.deep.include({ outcome: 'replaced' });
    expect(put.listing).to.include({ ...unowned, productId: 'prod_1', storefronts: 3 });
    expect((await putListing(unowned, aCall())).outcome).to.equal('unchanged');
    const seen = { ...put.listing, storefronts: 2 };
    const saved = { ...unowned, productId: 'prod_1', affiliates: 'ask', storefrontCount: 12 } as const;
    expect(await saveListing(seen, saved, aCall())).to.deep.equal({ kind: 'replaced' });
    const [stored] = await listingsIn(store());
    expect(stored).to.include({ affiliates: 'ask', storefrontCount: 12, storefronts: 3 });
  });

  it('ends twenty equal requests at once with one listing', async () => {
    const answers = await Promise.all(
      range(20).map((index) => administration().putListing(draft, aCall({ now: later(index) }))),
    );
    const [stored] = await listingsIn(store());
    expect(answers.map(({ listing }) => listing)).to.deep.equal(range(20).map(() => stored));
  });

  it('saves a draft over the listing that was seen, and keeps every member that the draft lacks', async () => {
    const { saveListing } = administration();
    expect(await saveListing(null, { ...draft, state: 'draft' }, aCall())).to.deep.equal({ kind: 'replaced' });
    const [seen = aListing()] = await listingsIn(store());
    const { state: _state, ...renamed } = { ...draft, name: 'Renamed' };
    const outcomes = [];
    for (const each of [null, seen, seen]) {
      outcomes.push((await saveListing(each, renamed, aCall({ now: later(5) }))).kind);
    }
    expect(outcomes).to.deep.equal(['stale', 'replaced', 'stale']);
    expect(seen).to.deep.equal({ ...draft, id: seen.id, publishedAt: noon, state: 'draft' });
    expect(await listingsIn(store())).to.deep.equal([{ ...seen, name: 'Renamed' }]);
  });

  it('saves a draft as a draft, until it is published', async () => {
    const { saveDraft, publishListing } = administration();
    const live = { ...draft, state: 'live' } as const;
    expect(await saveDraft(null, live, aCall())).to.deep.equal({ kind: 'replaced' });
    const [seen = aListing()] = await listingsIn(store());
    expect(seen.state).to.equal('draft');
    await publishListing(draft.slug, aCall());
    expect(await saveDraft(seen, { ...live, name: 'Renamed' }, aCall())).to.deep.equal({ kind: 'stale' });
    for (const state of ['live', 'paused'] as const) {
      expect(await refusalOf(saveDraft({ ...seen, state }, { ...live, name: 'Renamed' }, aCall()))).to.deep.equal({
        code: 'insufficient_scope',
        details: { scope: 'admin:catalog' },
      });
    }
    expect(await listingsIn(store())).to.deep.equal([{ ...seen, state: 'live' }]);
  });

  it('refuses an id that another slug has', async () => {
    await administration().putListing({ ...draft, id: 'own' }, aCall());
    const thief = administration().putListing({ ...draft, id: 'own', slug: 'thief' }, aCall());
    expect((await refusalOf(thief)).code).to.equal('listing_exists');
  });

  it('takes a deleted listing out of a catalog that follows the store', async () => {
    const index = new CatalogIndex(store().listings, plainRenderer, (text) => text);
    for (const slug of ['a', 'b']) await administration().putListing({ ...draft, slug }, aCall());
    await index.refresh(aCall());
    expect(await index.find('a')).to.not.equal(null);
    expect(await administration().deleteListing('a', aCall())).to.equal(1);
    expect(await administration().deleteListing('a', aCall())).to.equal(0);
    await index.refresh(aCall());
    expect([await index.find('a'), (await index.find('b')) === null]).to.deep.equal([null, false]);
  });

  it('looks at two thousand listings for a page of a search, and continues where it ended', async () => {
    const many = range(2500).map((index) => aListing({ id: `l${index}`, slug: `l${10_000 + index}` }));
    await store().listings.put([...many, aListing({ id: 'z', slug: 'z', name: 'Found' })], aCall());
    const search = { ...everything, search: 'found' };
    const first = await administration().listListings(search, { after: null, limit: 5 }, aCall());
    const second = await administration().listListings(search, { after: first.next, limit: 5 }, aCall());
    expect([first.items, first.next === null, second.items.length, second.next]).to.deep.equal([[], false, 1, null]);
    const mixed = administration().listListings(everything, { after: first.next, limit: 5 }, aCall());
    expect((await refusalOf(mixed)).code).to.equal('invalid_parameter');
  });
});
