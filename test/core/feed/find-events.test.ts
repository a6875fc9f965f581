import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { MemoryAllEntitlements } from '../../../adapters/memory/memory-all-entitlements.ts';
import { MemoryProducts } from '../../../adapters/memory/memory-products.ts';
import type { EventPage, Events } from '../../../core/feed/events.port.ts';
import { findEvents, type EventFilter, type EventsPage, type FindEvents } from '../../../core/feed/find-events.ts';
import { aCall, aChangeRecord, anEvent, aSubscription, day, granted, later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';
import { placed } from '../../support/webhooks/builders.ts';

const minute = 60_000;
const all: EventFilter = { productId: 'prod_1', type: null, entitlementId: null };

describe('the newest events of a product', () => {
  const products = new MemoryProducts(new MemoryStore());
  before(() => products.add({ id: 'prod_1', name: 'Sketchpad', createdAt: noon }));

  const find = (first: number, last: number): FindEvents =>
    findEvents(logOf(first, last), products, new MemoryAllEntitlements(new MemoryStore()));

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

describe('the newest events of all products', () => {
  const products = new MemoryProducts(new MemoryStore());
  const entitlements = new MemoryAllEntitlements(new MemoryStore());
  const everything: EventFilter = { productId: null, type: null, entitlementId: null };

  before(async () => {
    for (const index of range(300)) await products.add({ id: productAt(index), name: 'Sketchpad', createdAt: noon });
  });

  it('keep the order of each log, also where the clock has made events of a time long past', async () => {
    const logs = new Map([
      [productAt(0), [minute, 5 * minute, -day]],
      [productAt(1), [0, 2 * minute, 6 * minute]],
    ]);
    const find = findEvents(logsOf(logs), products, entitlements);
    for (const limit of [1, 2, 10]) {
      const pages = await itemsOf(find, everything, limit);
      const found = pages.flat().map(({ event, position }) => `${event.entitlement.id} ${position}`);
      const expected = ['B 3', 'A 3', 'A 2', 'B 2', 'A 1', 'B 1'];
      expect(found).to.deep.equal(expected.map((each) => each.replace('A', productAt(0)).replace('B', productAt(1))));
    }
  });

  it('read a bounded part of the logs for a page, and go on where they have stopped', async () => {
    const logs = new Map(range(3).map((product) => [productAt(product), range(1000).map((index) => index)]));
    const find = findEvents(logsOf(logs), products, entitlements);
    const none = await itemsOf(find, { ...everything, type: 'license.revoked' }, 50);
    expect(none.map(({ length }) => length)).to.deep.equal([0, 0]);
    const found = (await itemsOf(find, everything, 100)).flat();
    expect(new Set(found.map(({ event, position }) => `${event.entitlement.id} ${position}`))).to.have.property(
      'size',
      3000,
    );
  });

  it('end with a note if the next page would have to go on in too many products', async () => {
    const logs = new Map(range(300).map((product) => [productAt(product), [product, product + 1]]));
    const find = findEvents(logsOf(logs), products, entitlements);
    const { items, next, isCut } = await find(everything, { after: null, limit: 100 }, aCall());
    expect([items.length, next, isCut]).to.deep.equal([100, null, true]);
    const few = await find(everything, { after: null, limit: 3 }, aCall());
    expect([few.next !== null, few.isCut]).to.deep.equal([true, false]);
  });
});

describe('the newest events', () => {
  const opened = freshStore(memory.open);

  it('are those of the log, from its end', async () => {
    await opened().products.add({ id: 'prod_1', name: 'Sketchpad', createdAt: noon }, aCall());
    for (const index of range(5)) {
      const entitlement = aSubscription({ id: `ent_${index}`, sequence: 1 });
      await opened().allEntitlements.add(granted([entitlement]), aCall());
    }
    await opened().settle();
    const find = findEvents(opened().events, opened().products, opened().allEntitlements);
    expect(await pagesOf(find, all, 2)).to.deep.equal([[5, 4], [3, 2], [1]]);
    expect(await pagesOf(find, { ...all, entitlementId: 'ent_1' }, 2)).to.deep.equal([[2]]);
  });

  it('of all products are those of each log, the newest of all first, on pages without a gap', async () => {
    const { products, allEntitlements } = opened();
    for (const id of ['prod_1', 'prod_2', 'prod_3']) {
      await products.add({ id, name: 'Sketchpad', createdAt: noon }, aCall());
    }
    for (const index of range(9)) {
      const productId = `prod_${1 + (index % 2)}`;
      const at = later(index * minute);
      const entitlement = aSubscription({ id: `ent_${index}`, productId, sequence: 1, createdAt: at });
      const events = [anEvent(entitlement, { id: `evt_${index}`, at })];
      await allEntitlements.add([{ entitlement, changeRecord: { ...aChangeRecord(entitlement), events } }], aCall());
    }
    await opened().settle();
    const find = findEvents(opened().events, products, allEntitlements);
    const everything = { productId: null, type: null, entitlementId: null };
    for (const limit of [1, 4, 100]) {
      const pages = await entitlementsOf(find, everything, limit);
      expect(pages.flat()).to.deep.equal(range(9).map((index) => `ent_${8 - index}`));
      expect(pages.slice(0, -1).every(({ length }) => length === limit)).to.equal(true);
    }
    expect(await entitlementsOf(find, { ...everything, entitlementId: 'ent_3' }, 1)).to.deep.equal([['ent_3']]);
    expect(await entitlementsOf(find, { ...everything, entitlementId: 'ent_9' }, 1)).to.deep.equal([[]]);
  });
});

/** The events on each page. */
async function itemsOf(find: FindEvents, filter: EventFilter, limit: number): Promise<readonly EventsPage['items'][]> {
  const pages: EventsPage['items'][] = [];
  let after: string | null = null;
  do {
    const { items, next } = await find(filter, { after, limit }, aCall());
    pages.push(items);
    after = next;
  } while (after !== null);
  return pages;
}

/** The positions on each page. */
async function pagesOf(find: FindEvents, filter: EventFilter, limit: number): Promise<readonly (readonly number[])[]> {
  return (await itemsOf(find, filter, limit)).map((items) => items.map(({ position }) => position));
}

/** The entitlements on each page. */
async function entitlementsOf(
  find: FindEvents,
  filter: EventFilter,
  limit: number,
): Promise<readonly (readonly string[])[]> {
  return (await itemsOf(find, filter, limit)).map((items) => items.map(({ event }) => event.entitlement.id));
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

/** An id of nearly the maximum length. */
function productAt(index: number): string {
  return `prod_${String(index).padStart(100, '0')}`;
}

/** The logs of products, by the instants of their events in milliseconds after noon. Their entitlements have their names. */
function logsOf(logs: ReadonlyMap<string, readonly number[]>): Pick<Events, 'page' | 'lastPosition'> {
  const eventsOf = (productId: string): readonly number[] => logs.get(productId) ?? [];
  return {
    lastPosition: async (productId) => eventsOf(productId).length,
    page: async (productId, after, limit): Promise<EventPage> => {
      const log = eventsOf(productId).map((at, index) => placed(index + 1, productId, { at: later(at) }));
      return { events: log.slice(after, after + limit), first: log.length === 0 ? 0 : 1, last: log.length };
    },
  };
}
