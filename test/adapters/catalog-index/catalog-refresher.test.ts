import { expect } from 'chai';
import { CatalogIndex } from '../../../adapters/catalog-index/catalog-index.ts';
import { CatalogRefresher } from '../../../adapters/catalog-index/catalog-refresher.ts';
import type { Listings, LoadedCatalog } from '../../../core/catalog/listings.port.ts';
import { aCall, aListing } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { failing, InjectedFault } from '../../support/failing.ts';
import { aLatch } from '../../support/latch.ts';
import { plainRenderer } from '../../support/stores/catalogs.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';

describe('keeping the catalog fresh', () => {
  const store = freshStore(memory.open);
  let newest: CatalogIndex;
  let refresher: CatalogRefresher;
  afterEach(() => refresher.stop(1000));

  it('loads at the start, and follows every change', async () => {
    await store().listings.put([aListing()], aCall());
    const { index } = await follow(store().listings);
    expect((await index.find('quiet-editor'))?.text).to.equal(JSON.stringify(aListing()));
    await store().listings.setState('quiet-editor', 'paused', aCall());
    expect(
      await eventually(
        () => index.find('quiet-editor'),
        (found) => found === null,
      ),
    ).to.equal(null);
  });

  it('keeps the catalog when the store fails, reports the failure once, and catches up', async () => {
    const listings = failing(store().listings, { method: 'changesSince', nth: 2, when: 'before' });
    const { index, failures } = await follow(listings);
    await store().listings.put([aListing()], aCall());
    const found = await eventually(
      () => index.find('quiet-editor'),
      (answer) => answer !== null,
    );
    expect(found?.text).to.equal(JSON.stringify(aListing()));
    expect(failures.map((error) => error instanceof InjectedFault)).to.deep.equal([true]);
  });

  it('refuses to answer before the first load, and has an infinite age', async () => {
    const { index } = await follow(failing(store().listings, { method: 'load', nth: 1, when: 'after' }));
    expect(index.age()).to.equal(Infinity);
    expect((await refusalOf(index.find('quiet-editor'))).code).to.equal('store_unavailable');
    expect(
      await eventually(
        async () => index.age(),
        (age) => age < Infinity,
      ),
    ).to.be.at.least(0);
    expect(await index.find('quiet-editor')).to.equal(null);
  });

  it('lets queries wait for the first load, at most until their deadline', async () => {
    await store().listings.put([aListing()], aCall());
    const latch = aLatch();
    const following = follow(interposed(store().listings, (method) => method === 'load' && latch.released));
    const index = newest;
    await index.loaded(aCall({ deadline: { remaining: () => 1 } }));
    expect(index.age()).to.equal(Infinity);
    const loaded = index.loaded(aCall());
    latch.release();
    await loaded;
    expect((await index.find('quiet-editor'))?.text).to.equal(JSON.stringify(aListing()));
    await following;
  });

  it('lets no query wait when the load that failed is over', async () => {
    const { index } = await follow(failing(store().listings, { method: 'load', nth: 1, when: 'after' }));
    await index.loaded(aCall({ deadline: { remaining: () => Infinity } }));
    expect(index.age()).to.equal(Infinity);
  });

  it('loads everything again when its cursor is too old', async () => {
    await store().listings.put([aListing()], aCall());
    const { index } = await follow(loadingFirst({ live: [], cursor: '7' }, store().listings));
    expect((await index.find('quiet-editor'))?.text).to.equal(JSON.stringify(aListing()));
  });

  async function follow(listings: Listings): Promise<{ index: CatalogIndex; failures: unknown[] }> {
    const failures: unknown[] = [];
    const index = new CatalogIndex(listings, plainRenderer, (text) => text);
    newest = index;
    refresher = new CatalogRefresher(
      index,
      () => aCall(),
      (error) => failures.push(error),
    );
    await refresher.start();
    return { index, failures };
  }
});

/** The listings, but with a first load from another history. */
function loadingFirst(first: LoadedCatalog, listings: Listings): Listings {
  let loads = 0;
  return new Proxy(listings, {
    get: (target, property) => {
      if (property === 'load' && (loads += 1) === 1) return async () => first;
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
