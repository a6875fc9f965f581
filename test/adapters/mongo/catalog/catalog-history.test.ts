import { expect } from 'chai';
import { MongoListings } from '../../../../adapters/mongo/catalog/mongo-listings.ts';
import { openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import type { Listing } from '../../../../core/catalog/listing.ts';
import type { Entry } from '../../../../core/copy/archive.port.ts';
import { aCall, aListing } from '../../../support/builders.ts';
import { failures, whileFailing } from '../../../support/mongo/fail-point.ts';
import { startServers } from '../../../support/mongo/mongod.ts';
import { ownServer } from '../../../support/mongo/mongodb.ts';
import { range } from '../../../support/range.ts';
import { freshStore, openOwnStore } from '../../../support/stores/stores.ts';

describe('the history of the catalog on MongoDB', () => {
  const store = freshStore(openOwnStore);

  it('reports a cursor of another store, or of a history that is gone, as too old', async () => {
    await store().listings.put([aListing()], aCall());
    const foreign = '8263B5C6D1000000012B022C0100296E5A1004';
    for (const cursor of [foreign, 'nonsense', '']) {
      expect(await store().listings.changesSince(cursor, aCall())).to.deep.equal({ kind: 'too old' });
    }
  });

  it('reports a cursor as too old if loading everything costs less than the changes after it', async () => {
    const { cursor } = await store().listings.load(aCall());
    await insert(range(10_001).map((index) => aListing({ id: `lst_${index}`, slug: `many-${index}` })));
    expect(await store().listings.changesSince(cursor, aCall())).to.deep.equal({ kind: 'too old' });
  });

  it('returns every changed listing when they exceed the size of a reply', async () => {
    const { cursor } = await store().listings.load(aCall());
    const blurb = '🚀'.repeat(2000);
    await insert(range(2200).map((index) => aListing({ id: `lst_${index}`, slug: `large-${index}`, blurb })));
    const changes = await store().listings.changesSince(cursor, aCall());
    if (changes.kind === 'too old') throw new Error('the cursor was just given');
    expect([changes.changed.length, changes.removed.length]).to.deep.equal([2200, 0]);
  });

  for (const { name, failure } of failures.filter(({ applied }) => !applied)) {
    it(`is read when the first command ${name}`, async () => {
      const url = (await ownServer()).url('admin');
      const { cursor } = await store().listings.load(aCall());
      await store().listings.put([aListing()], aCall());
      const ask = () => store().listings.changesSince(cursor, aCall());
      const changes = await whileFailing(url, ['aggregate'], failure, ask, 1);
      expect(changes).to.deep.include({ kind: 'changes', changed: [aListing()] });
    });
  }

  for (const { name, failure } of failures.filter(({ applied }) => !applied)) {
    it(`is read when the command that closes its cursors ${name}`, async () => {
      const url = (await ownServer()).url('admin');
      const { cursor } = await store().listings.load(aCall());
      await store().listings.put([aListing()], aCall());
      const asked = whileFailing(url, ['killCursors'], failure, async ({ met }) => {
        // Some cursors are closed together.
        for (let asks = 1; asks < 10; asks += 1) await store().listings.changesSince(cursor, aCall());
        const changes = await store().listings.changesSince(cursor, aCall());
        await met(1);
        return changes;
      });
      expect(await asked).to.deep.include({ kind: 'changes', changed: [aListing()] });
      expect((await store().listings.load(aCall())).live).to.deep.equal([aListing()]);
    });
  }

  it('is a counter on a standalone server, which shows that nothing has changed or that everything must be loaded', async () => {
    const servers = await startServers(null);
    const opened = await openMongoDatabase(servers.url('latchkey'), { create: true }, aCall());
    const listings = new MongoListings(opened);
    const { cursor } = await listings.load(aCall());
    const nothing = { kind: 'changes', changed: [], removed: [], cursor };
    expect(await listings.changesSince(cursor, aCall())).to.deep.equal(nothing);
    await listings.put([aListing()], aCall());
    expect(await listings.changesSince(cursor, aCall())).to.deep.equal({ kind: 'too old' });
    expect((await listings.load(aCall())).live).to.deep.equal([aListing()]);
    await opened.close();
    await servers.end();
  });

  /** Inserts listings as a copy does, in few commands. */
  async function insert(listings: readonly Listing[]): Promise<void> {
    const entries = listings.map((value): Entry => ({ section: 'listings', id: value.slug, value }));
    await store().archive?.insert(entries, aCall());
  }
});
