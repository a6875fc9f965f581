import { expect } from 'chai';
import { CatalogIndex } from '../../../adapters/catalog-index/catalog-index.ts';
import type { Call } from '../../../core/call.ts';
import type { Listings } from '../../../core/catalog/listings.port.ts';
import { catalogIndexContract } from '../../contracts/catalog/catalog-index.contract.ts';
import { aCall, aListing, deadlineIn } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { plainRenderer, queryOf } from '../../support/stores/catalogs.ts';
import { freshStore, memory, stores } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';

for (const store of stores) catalogIndexContract(store);

describe('the catalog index', () => {
  const store = freshStore(memory.open);
  let time = 0;
  let index: CatalogIndex;
  beforeEach(async () => {
    time = 0;
    index = new CatalogIndex(
      store().listings,
      plainRenderer,
      (text) => text,
      () => time,
    );
    await store().listings.put([aListing()], aCall());
    await index.refresh(aCall());
  });

  it('answers for thirty seconds without a refresh, but is fresh for one second only', async () => {
    for (const [age, isFresh] of [
      [1000, true],
      [1001, false],
      [30_000, false],
    ] as const) {
      time = age;
      expect(index.isFresh()).to.equal(isFresh);
      expect(await index.find('quiet-editor')).to.not.equal(null);
    }
    time = 30_001;
    expect((await refusalOf(index.find('quiet-editor'))).code).to.equal('store_unavailable');
    expect((await refusalOf(index.page(queryOf({}), aCall()))).code).to.equal('store_unavailable');
    await index.refresh(aCall());
    expect(index.isFresh()).to.equal(true);
    expect(await index.find('quiet-editor')).to.not.equal(null);
  });

  it('pauses before it loads the catalog once more from a store that knows none of its own cursors', async () => {
    let loads = 0;
    let knowsCursors = false;
    const listings = new Proxy(store().listings, {
      get: (target, property) => {
        if (property === 'load') loads += 1;
        if (property === 'changesSince' && !knowsCursors) return async () => ({ kind: 'too old' });
        const member: unknown = Reflect.get(target, property, target);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const lost = new CatalogIndex(
      listings,
      plainRenderer,
      (text) => text,
      () => time,
    );
    for (const [after, expected] of [
      [0, 3],
      [100, 3],
      [899, 3],
      [1, 6],
      [100, 6],
    ] as const) {
      time += after;
      expect((await refusalOf(lost.refresh(aCall()))).code).to.equal('store_unavailable');
      expect(loads).to.equal(expected);
    }
    time += 1000;
    knowsCursors = true;
    await lost.refresh(aCall());
    expect(await lost.find('quiet-editor')).not.to.equal(null);
  });

  it('reads on from the last cursor that the store returned, changes or not: stores forget old ones', async () => {
    const asked: string[] = [];
    const moving: Pick<Listings, 'load' | 'changesSince'> = {
      load: async () => ({ live: [], cursor: '1' }),
      changesSince: async (cursor) => {
        asked.push(cursor);
        return { kind: 'changes', changed: [], removed: [], cursor: String(Number(cursor) + 1) };
      },
    };
    const following = new CatalogIndex(Object.assign(store().listings, moving), plainRenderer, (text) => text);
    for (let refreshes = 0; refreshes < 3; refreshes += 1) await following.refresh(aCall());
    expect(asked).to.deep.equal(['1', '2', '3']);
  });

  it('counts its age from the beginning of a refresh', async () => {
    const refreshed = index.refresh({
      ...aCall(),
      deadline: {
        remaining: () => {
          time += 5000;
          return 5000;
        },
      },
    });
    await refreshed;
    expect(index.age()).to.equal(time);
  });

  it('refuses a page whose deadline has passed, and makes it for the next request', async () => {
    const query = queryOf({ q: 'quiet' });
    const late = index.page(query, aCall({ deadline: deadlineIn(0) }));
    expect((await refusalOf(late)).code).to.equal('store_unavailable');
    expect((await index.page(query, aCall())).text).to.include('quiet-editor');
  });

  it('answers the first of too many searches, and every page of the whole catalog meanwhile', async () => {
    const many = range(1500).map((number) => aListing({ id: `lst_${number}`, slug: `tool-${number}` }));
    await store().listings.put(many, aCall());
    await index.refresh(aCall());
    // A clock that counts the steps of searches: each step reads it once.
    let steps = 0;
    const within = (limit: number): Call => {
      const end = steps + limit;
      return aCall({ deadline: { remaining: () => end - (queued ? (steps += 1) : steps) } });
    };
    const ask = (offset: number, call: Call): Promise<unknown> =>
      index.page(queryOf({ q: 'quiet editor', minCommission: '20', offset: `${offset}` }), call);
    let queued = true;
    await ask(0, within(1000));
    queued = false;
    // The searches below need one step less, because the queue reads their deadlines before steps count.
    const needed = steps - 1;
    const searches = range(40).map((number) => ask(number + 1, within(8 * needed)));
    const wholeCatalog = index.page(queryOf({ offset: '1490' }), within(0));
    queued = true;
    expect((await wholeCatalog).text).to.include('tool-');
    const outcomes = (await Promise.allSettled(searches)).map(({ status }) => status);
    const answered = outcomes.indexOf('rejected');
    expect(answered).to.be.within(4, 8);
    expect(new Set(outcomes.slice(answered))).to.deep.equal(new Set(['rejected']));
  });
});
