import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { MemoryAllListings, MemoryListings } from '../../../adapters/memory/memory-listings.ts';
import {
  pauseListing,
  publishListing,
  publishSeenListing,
} from '../../../core/catalog/administration/change-listing-state.ts';
import { aCall, aListing } from '../../support/builders.ts';
import { refusalOf } from '../../support/thrown.ts';

const { slug } = aListing();

describe('changing the state of a listing', () => {
  let store: MemoryStore;
  let listings: MemoryListings;
  beforeEach(() => {
    store = new MemoryStore();
    listings = new MemoryListings(store);
  });

  for (const [verb, change, state, other] of [
    ['publishes', publishListing, 'live', 'paused'],
    ['pauses', pauseListing, 'paused', 'live'],
  ] as const) {
    it(`${verb} a listing, and says whether that changed it`, async () => {
      await listings.put([aListing({ state: other })], aCall());
      expect(await change(listings)(slug, aCall())).to.equal('changed');
      expect(await change(listings)(slug, aCall())).to.equal('unchanged');
      expect(store.listings.get(slug)?.listing).to.deep.equal(aListing({ state }));
    });
  }

  it('publishes a draft', async () => {
    await listings.put([aListing({ state: 'draft' })], aCall());
    expect(await publishListing(listings)(slug, aCall())).to.equal('changed');
  });

  describe('as it was seen', () => {
    const draft = aListing({ state: 'draft' });
    const live = aListing({ state: 'live' });
    const publish = () => publishSeenListing(listings, new MemoryAllListings(store))(draft, aCall());

    it('publishes it, also twice', async () => {
      await listings.put([draft], aCall());
      expect([await publish(), await publish()]).to.deep.equal(['changed', 'unchanged']);
      expect(store.listings.get(slug)?.listing).to.deep.equal(live);
    });

    for (const [what, now] of [
      ['a draft with another text', aListing({ state: 'draft', description: 'Another' })],
      ['a draft with another rank', aListing({ state: 'draft', featured: !draft.featured })],
      ['live with another text', aListing({ state: 'live', joinUrl: 'https://other.example/' })],
      ['paused', aListing({ state: 'paused' })],
      ['gone', null],
    ] as const) {
      it(`changes nothing if it is ${what} by now`, async () => {
        if (now !== null) await listings.put([now], aCall());
        expect(await refusalOf(publish())).to.deep.equal({ code: 'changed_meanwhile', details: {} });
        expect(store.listings.get(slug)?.listing ?? null).to.deep.equal(now);
      });
    }
  });

  it('refuses an unknown slug', async () => {
    const refusal = { code: 'listing_not_found', details: {} };
    expect(await refusalOf(publishListing(listings)(slug, aCall()))).to.deep.equal(refusal);
    expect(await refusalOf(pauseListing(listings)(slug, aCall()))).to.deep.equal(refusal);
  });
});
