import { expect } from 'chai';
import type { Listing } from '../../../core/catalog/listing.ts';
import type { Listings } from '../../../core/catalog/listings.port.ts';
import type { Addition } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { limitedPorts } from '../../../core/tenant/limited-ports.ts';
import { aCall, aChangeRecord, aListing, aSubscription, later } from '../../support/builders.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { memory, twoStores, type OpenedStore } from '../../support/stores/stores.ts';
import { listened } from '../../support/tenant/listened.ts';
import { entitlementOf, listingOf, type Seen } from '../../support/tenant/port-tries.ts';
import {
  addMerchant,
  addOwners,
  contentOf,
  limitedCall,
  mine,
  ofAll,
  other,
  resultOf,
  type Names,
} from '../../support/tenant/two-merchants.ts';

const refusedWith = (code: string): object => ({ refused: code, message: code });

const added = (id: string, productId: string): Addition => {
  const entitlement = aSubscription({ id, productId, license: null });
  return { entitlement, changeRecord: aChangeRecord(entitlement) };
};

const ownListingAt = (slug: string): Listing => aListing({ slug, id: 'n1', productId: 'mine' });

for (const { name, open } of twoStores) {
  describe(`the writes of a limited caller, on the ${name} store`, () => {
    let store: OpenedStore;

    before(async () => {
      store = await open();
      await addMerchant(store, mine);
      await addMerchant(store, other);
      await addOwners(store);
    });

    after(() => store.close());

    const seenBy = (names: Names): Seen => ({ names, from: store, call: limitedCall() });

    /** Carries out writes that change nothing. */
    const resultsOf = async (writes: readonly (() => unknown)[]): Promise<readonly unknown[]> => {
      const before = await contentOf(store, () => true);
      const results: unknown[] = [];
      for (const write of writes) results.push(await resultOf(write));
      expect(await contentOf(store, () => true)).to.deep.equal(before);
      return results;
    };

    it('take nothing from another, and give it nothing', async () => {
      const { allEntitlements, devices, licenseMoves, listings } = limitedPorts(store);
      const call = limitedCall();
      const own = await entitlementOf(seenBy(mine));
      const others = await entitlementOf(seenBy(other));
      const moved = (seen: typeof own, productId = seen.productId) => {
        const next = { ...seen, productId, revision: seen.revision + 1 };
        return { seen, next, changeRecord: aChangeRecord(next) };
      };
      const sold = { ...own, id: 'sub_1', license: null };
      const moves = [
        [moved(own), moved(others)],
        [moved(others), moved(own)],
        [moved(own, 'other'), moved(own)],
        [moved(others, 'mine'), moved(own)],
        [moved(own), moved(own, 'other')],
        [moved(own), moved(others, 'mine')],
        [moved(own), { entitlement: sold, changeRecord: aChangeRecord(sold) }],
        [moved(own), { entitlement: { ...others, id: 'n1' }, changeRecord: aChangeRecord(others) }],
      ] as const;
      const replaced = [moved(own, 'other'), moved(others, 'mine')];
      const ownListing = await listingOf(seenBy(mine));
      const othersListing = await listingOf(seenBy(other));
      const noOnes = await listingOf(seenBy(ofAll));
      const results = await resultsOf([
        ...moves.map(
          ([from, to]) =>
            () =>
              licenseMoves.move(from, to, call),
        ),
        ...replaced.map(
          ({ seen, next, changeRecord }) =>
            () =>
              allEntitlements.replace(seen, next, changeRecord, call),
        ),
        ...replaced.map(
          ({ seen, next }) =>
            () =>
              devices.replace(seen, next, { gone: [], put: [], events: [] }, call),
        ),
        () => listings.replace(ownListing, { ...ownListing, productId: 'other' }, call),
        () => listings.replace(ownListing, { ...ownListing, productId: null }, call),
        () => listings.replace(othersListing, { ...othersListing, productId: 'mine' }, call),
        () => listings.replace(noOnes, { ...noOnes, productId: 'mine' }, call),
      ]);
      expect(results).to.deep.equal(results.map(() => refusedWith('limited_key')));
    });

    it('add none of several if one is not for them', async () => {
      const { allEntitlements } = limitedPorts(store);
      const own = added('n1', 'mine');
      const refused = [added('n2', 'other'), added('sub_n2', 'mine'), added('cs_n2', 'mine')];
      const results = await resultsOf(refused.map((one) => () => allEntitlements.add([own, one], limitedCall())));
      expect(results).to.deep.equal(results.map(() => refusedWith('limited_key')));
    });

    it('are refused a slug that another has, and stale where their own was changed', async () => {
      const { listings } = limitedPorts(store);
      const call = limitedCall();
      const own = await listingOf(seenBy(mine));
      const results = await resultsOf([
        () => listings.replace(null, ownListingAt(other.slug), call),
        () => listings.replace(null, ownListingAt(ofAll.slug), call),
        () => listings.replace(null, ownListingAt(mine.slug), call),
        () => listings.replace({ ...own, name: 'Before' }, { ...own, name: 'After' }, call),
      ]);
      const stale = { kind: 'stale' };
      expect(results).to.deep.equal([refusedWith('listing_exists'), refusedWith('listing_exists'), stale, stale]);
    });

    it('put a listing without a product where it was, and no new one', async () => {
      const { listings } = limitedPorts(store);
      const { productId: _productId, ...own } = await listingOf(seenBy(mine));
      expect(await listings.put([{ ...own, blurb: 'Put' }], limitedCall())).to.deep.equal(['stored']);
      expect(await listingOf(seenBy(mine))).to.deep.equal({ ...own, productId: 'mine', blurb: 'Put' });
      const put = () => listings.put([{ ...own, slug: 'n1', id: 'n1' }], limitedCall());
      const taken = () => listings.put([{ ...own, productId: null }], limitedCall());
      expect(await resultsOf([put, taken])).to.deep.equal([refusedWith('limited_key'), refusedWith('limited_key')]);
    });
  });
}

describe('the writes of a limited caller after whom another comes first', () => {
  let store: OpenedStore;
  const call = aCall();
  const own = aListing({ slug: 'slug', id: 'lst', productId: 'mine', publishedAt: later(0), storefrontCount: 0 });
  const others = { ...own, id: 'lst-other', productId: 'other' };

  beforeEach(async () => {
    store = await memory.open();
  });

  afterEach(() => store.close());

  /** The ports of a limited caller; `first` runs before its first replacement of a listing. */
  const after = (first: (listings: Listings, ports: StorePorts) => Promise<unknown>): Listings => {
    let isFirst = true;
    const listings = interposed(store.listings, async (method) => {
      if (method !== 'replace' || !isFirst) return;
      isFirst = false;
      await first(store.listings, store);
    });
    return limitedPorts({ ...store, listings }).listings;
  };

  const stored = (): Promise<Listing | null> => store.allListings.find('slug', call);
  const remove = (): Promise<unknown> => store.allListings.delete('slug', null, call);

  it('set a state of what is there by then', async () => {
    await store.listings.put([own], call);
    const renamed = { ...own, name: 'Renamed' };
    const listings = after((raw) => raw.put([renamed], call));
    expect(await listings.setState('slug', 'paused', limitedCall())).to.equal('stored');
    expect(await stored()).to.deep.equal({ ...renamed, state: 'paused' });
  });

  it('set no state of what is gone, or another has by then', async () => {
    for (const next of [null, others]) {
      await remove();
      await store.listings.put([own], call);
      const listings = after(async (raw) => {
        await remove();
        if (next !== null) await raw.put([next], call);
      });
      expect(await listings.setState('slug', 'paused', limitedCall())).to.equal('not found');
      expect(await stored()).to.deep.equal(next);
    }
  });

  it('put a listing where the same was put', async () => {
    const listings = after((raw) => raw.put([{ ...own, name: 'First' }], call));
    expect(await listings.put([own], limitedCall())).to.deep.equal(['stored']);
    expect(await stored()).to.deep.equal(own);
  });

  it('put none where another took the slug or the id', async () => {
    for (const [first, found] of [
      [others, others],
      [{ ...others, slug: 'other', id: own.id }, null],
    ] as const) {
      const listings = after((raw) => raw.put([first], call));
      expect(await listings.put([own], limitedCall())).to.deep.equal(['id taken']);
      expect(await stored()).to.deep.equal(found);
      await store.allListings.delete(first.slug, null, call);
    }
  });

  it('put a listing where another took the slug and gave it back', async () => {
    let asked = 0;
    const listings = interposed(store.listings, async (method) => {
      if (method === 'replace' && asked === 0) await store.listings.put([others], call);
      if (method === 'findExisting') await remove();
      asked += 1;
    });
    const outcome = await limitedPorts({ ...store, listings }).listings.put([own], limitedCall());
    expect(outcome).to.deep.equal(['stored']);
    expect(await stored()).to.deep.equal(own);
  });

  it('put a listing under its new id where the old one was deleted, and its id taken', async () => {
    await store.listings.put([own], call);
    const listings = after(async (raw) => {
      await remove();
      await raw.put([{ ...others, slug: 'other', id: own.id }], call);
    });
    const put = { ...own, id: 'lst-new', name: 'Put' };
    expect(await listings.put([put], limitedCall())).to.deep.equal(['stored']);
    expect(await stored()).to.deep.equal({ ...put, publishedAt: limitedCall().now });
  });

  it('ask no more than they need', async () => {
    const { ports, methodsOf } = listened(store);
    const { listings } = limitedPorts(ports);
    const put = (listing: Listing) =>
      methodsOf(async () => expect(await listings.put([listing], limitedCall())).to.deep.equal(['stored']));
    expect(await put(own)).to.deep.equal(['allListings.find', 'listings.replace']);
    expect(await put(own)).to.deep.equal(['allListings.find']);
    const seen = await stored();
    const renamed = { ...own, name: 'Renamed' };
    expect(await methodsOf(() => listings.replace(seen, renamed, limitedCall()))).to.deep.equal(['listings.replace']);
    expect(await methodsOf(() => listings.setState('slug', 'live', limitedCall()))).to.deep.equal(['allListings.find']);
  });
});
