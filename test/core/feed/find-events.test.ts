import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { MemoryProducts } from '../../../adapters/memory/memory-products.ts';
import type { EventPage, Events } from '../../../core/feed/events.port.ts';
import { findEvents, type EventFilter, type FindEvents } from '../../../core/feed/find-events.ts';
import { aCall, aSubscription, granted, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { freshStore, stores } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';
import { placed } from '../../support/webhooks/builders.ts';

const all: EventFilter = { productId: 'prod_1', type: null, entitlementId: null };

describe('the newest events of a product', () => {
  const products = new MemoryProducts(new MemoryStore());
  before(() => products.add({ id: 'prod_1', name: 'Sketchpad', createdAt: noon }));

  const find = (first: number, last: number): FindEvents => findEvents(logOf(first, last), products);

  it('are each shown once, whatever the limits', async () => {
    for (const limit of [1, 3, 10, 11, 100]) {
      const pages = await pagesOf(find(1, 10), all, limit);
      expect(pages.flat()).to.deep.equal(range(10).map((index) => 10 - index));
      expect(pages.slice(0, -1).every(({ length }) => length === limit)).to.equal(true);
    }
    expect(await pagesOf(find(1, 450), all, 100)).to.have.lengthOf(5);
  });

  it('end with the oldest event that is kept, and are none in an empty log', async () => {
    expect(await pagesOf(find(700, 703), all, 3)).to.deep.equal([[703, 702, 701], [700]]);
    expect(await pagesOf(find(1, 0), all, 3)).to.deep.equal([[]]);
  });

  it('are those of an entitlement or of a type', async () => {
    const odd = { ...all, entitlementId: 'ent_odd' };
    expect(await pagesOf(find(1, 9), odd, 2)).to.deep.equal([[9, 7], [5, 3], [1]]);
    expect(await pagesOf(find(1, 9), { ...all, type: 'license.revoked' }, 2)).to.deep.equal([[]]);
    const { type } = placed(1, 'ent_odd').event;
    expect(await pagesOf(find(1, 3), { ...odd, type }, 2)).to.deep.equal([[3, 1]]);
  });

  it('are searched in bounded steps, of which each has a page', async () => {
    const pages = await pagesOf(find(1, 4001), { ...all, entitlementId: 'ent_none' }, 50);
    expect(pages).to.deep.equal([[], [], []]);
  });

  it('refuse an unknown product, and the cursor of another list', async () => {
    const { next } = await find(1, 10)(all, { after: null, limit: 2 }, aCall());
    const other = find(1, 10)({ ...all, type: 'license.revoked' }, { after: next, limit: 2 }, aCall());
    expect((await refusalOf(other)).code).to.equal('invalid_parameter');
    const unknown = find(1, 10)({ ...all, productId: 'prod_2' }, { after: null, limit: 2 }, aCall());
    expect((await refusalOf(unknown)).code).to.equal('product_not_found');
  });
});

for (const store of stores) {
  describe(`the newest events on ${store.name}`, () => {
    const opened = freshStore(store.open);

    it('are those of the log, from its end', async () => {
      await opened().products.add({ id: 'prod_1', name: 'Sketchpad', createdAt: noon }, aCall());
      for (const index of range(5)) {
        const entitlement = aSubscription({ id: `ent_${index}`, sequence: 1 });
        await opened().allEntitlements.add(granted([entitlement]), aCall());
      }
      await opened().settle();
      const find = findEvents(opened().events, opened().products);
      expect(await pagesOf(find, all, 2)).to.deep.equal([[5, 4], [3, 2], [1]]);
      expect(await pagesOf(find, { ...all, entitlementId: 'ent_1' }, 2)).to.deep.equal([[2]]);
    });
  });
}

/** The positions on each page. */
async function pagesOf(find: FindEvents, filter: EventFilter, limit: number): Promise<readonly (readonly number[])[]> {
  const pages: (readonly number[])[] = [];
  let after: string | null = null;
  do {
    const { items, next } = await find(filter, { after, limit }, aCall());
    pages.push(items.map(({ position }) => position));
    after = next;
  } while (after !== null);
  return pages;
}

/** A log of events of two entitlements in turn. */
function logOf(first: number, last: number): Pick<Events, 'page' | 'lastPosition'> {
  const kept = range(last - first + 1).map((index) =>
    placed(first + index, (first + index) % 2 === 1 ? 'ent_odd' : 'ent_even'),
  );
  return {
    lastPosition: async () => last,
    page: async (_productId, after, limit): Promise<EventPage> => ({
      events: kept.filter(({ position }) => position > after).slice(0, limit),
      first: kept.length === 0 ? 0 : first,
      last,
    }),
  };
}
