import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { affiliateMembers } from '../../../../core/catalog/affiliate-members.ts';
import type { Listing } from '../../../../core/catalog/listing.ts';
import { pageMembers } from '../../../../core/catalog/page-members.ts';
import { aCall, aListing, everyAffiliateMember, everyPageMember } from '../../../support/builders.ts';
import { compared, copied, freshAddresses, inStore, type Address } from '../../../support/stores/copies.ts';
import { listingsIn } from '../../../support/stores/whole-lists.ts';

const known = aListing();

const newer = [...pageMembers, ...affiliateMembers, 'storefronts'];

describe('a listing of a release without members for pages and affiliates, on MongoDB', () => {
  const fresh = freshAddresses();
  let old: Address;
  beforeEach(async () => {
    old = await fresh('mongo');
    await inStore(old, (store) => store.listings.put([known], aCall()));
    const client = await new MongoClient(old.url).connect();
    await client
      .db()
      .collection('listings')
      .updateMany({}, { $unset: Object.fromEntries(newer.map((name) => [name, ''])) });
    const documents = await client.db().collection('listings').find().toArray();
    await client.close();
    expect(documents).to.have.length(1);
    expect(documents[0])
      .to.have.property('name')
      .and.not.have.any.keys(...newer);
  });

  it('has none, wherever it is read, and can be given some', async () => {
    await inStore(old, async (store) => {
      const { live, cursor } = await store.listings.load(aCall());
      const found = await store.allListings.find(known.slug, aCall());
      const [archived] = (await store.archive?.page('listings', '', aCall())) ?? [];
      expect([live, await listingsIn(store), found, archived?.value]).to.deep.equal([[known], [known], known, known]);
      const next: Listing = { ...known, ...everyPageMember, ...everyAffiliateMember };
      await store.listings.put([next], aCall());
      expect(await store.listings.changesSince(cursor, aCall())).to.deep.include({ changed: [next] });
    });
  });

  it('is replaced as it was seen', async () => {
    await inStore(old, async (store) => {
      const next: Listing = { ...known, ...everyPageMember, ...everyAffiliateMember };
      expect(await store.listings.setStorefronts(known.slug, 2, aCall())).to.equal('stored');
      expect(await store.listings.replace(next, known, aCall())).to.deep.equal({ kind: 'stale' });
      expect(await store.listings.replace(known, next, aCall())).to.deep.equal({ kind: 'replaced' });
      expect(await listingsIn(store)).to.deep.equal([{ ...next, storefronts: 2 }]);
    });
  });

  it('is copied to the other stores and back, and equal there', async () => {
    const [sqlite, mongo] = [await fresh('sqlite'), await fresh('mongo')];
    for (const [from, to] of [
      [old.url, sqlite.url],
      [sqlite.url, mongo.url],
    ] as const) {
      expect(await copied(from, to)).to.include({ entries: 1, differences: 0, written: 1 });
    }
    expect(await compared(old.url, mongo.url)).to.include({ entries: 1, differences: 0 });
    expect(await inStore(sqlite, listingsIn)).to.deep.equal([known]);
  });
});
