import { expect } from 'chai';
import { firstKept, pruneEvents, type LogPart } from '../../../core/feed/prune-events.ts';
import { aCall, aSubscription, granted, later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';

describe('pruneEvents', () => {
  const store = freshStore(memory.open);
  let calls = 0;

  const prune = (milliseconds: number, isStopped?: () => boolean): Promise<number> => {
    calls = 0;
    const newCall = () => {
      calls += 1;
      return aCall({ now: later(milliseconds) });
    };
    return pruneEvents(store().events, store().products)(1000, newCall, isStopped);
  };

  const addProducts = async (...ids: readonly string[]): Promise<void> => {
    for (const id of ids) await store().products.add({ id, name: id, createdAt: noon }, aCall());
  };

  /** Stores an event of a product for each millisecond after noon. */
  const addEvents = async (productId: string, count: number): Promise<void> => {
    for (const index of range(count)) {
      const entitlement = aSubscription({ id: `${productId}_${index}`, productId, sequence: 1 });
      await store().allEntitlements.add(granted([entitlement]), aCall({ now: later(index) }));
    }
  };

  const first = async (productId: string): Promise<number> =>
    (await store().events.page(productId, 0, 1, aCall())).first;

  beforeEach(async () => {
    await addProducts('prod_1', 'prod_2', 'prod_3');
    await addEvents('prod_1', 5);
    await addEvents('prod_2', 4);
  });

  it('removes what is older than the retention, of every product', async () => {
    expect(await prune(999)).to.equal(0);
    expect(await prune(1001)).to.equal(4);
    expect([await first('prod_1'), await first('prod_2')]).to.deep.equal([3, 3]);
    expect(await prune(9000)).to.equal(3);
    expect([await first('prod_1'), await first('prod_2')]).to.deep.equal([5, 4]);
  });

  it('has a call of its own for the products, for each slice, and for the end of each log', async () => {
    await prune(9000);
    expect(calls).to.equal(1 + 2 + 2 + 1);
  });

  it('ends once it is stopped, and returns what it has removed', async () => {
    expect(await prune(9000, () => calls > 1)).to.equal(4);
    expect([await first('prod_1'), await first('prod_2')]).to.deep.equal([5, 1]);
    expect(await prune(9000, () => true)).to.equal(0);
  });

  it('goes on beyond the products of one read', async () => {
    await addProducts(...range(200).map((index) => `prod_4_${index}`), 'prod_5');
    await addEvents('prod_5', 3);
    expect(await prune(9000)).to.equal(4 + 3 + 2);
  });
});

/** Parts of three events each, stored one millisecond after the other. */
const parts: readonly LogPart[] = [1, 4, 7, 10].map((first, index) => ({ first, storedAt: later(index) }));

describe('the first event that is kept', () => {
  const cases: readonly (readonly [until: number, needed: number, first: number])[] = [
    [-1, Infinity, 1],
    [0, Infinity, 4],
    [1, Infinity, 7],
    [2, Infinity, 10],
    [9, Infinity, 10],
    [9, 1, 1],
    [9, 3, 1],
    [9, 4, 4],
    [9, 6, 4],
    [9, 7, 7],
    [9, 99, 10],
    [NaN, Infinity, 1],
  ];
  for (const [until, needed, first] of cases) {
    it(`is ${first} for an instant of ${until} and a position of ${needed}`, () => {
      expect(firstKept(parts, { until: later(until), needed })).to.equal(first);
    });
  }

  it('is behind no part that is newer, even before an older one', () => {
    const [a, b, c] = [later(0), later(9), later(0)];
    const mixed = [a, b, c, c].map((storedAt, index) => ({ first: index + 1, storedAt }));
    expect(firstKept(mixed, { until: later(5), needed: Infinity })).to.equal(2);
  });

  it('is 0 in an empty log', () => {
    expect(firstKept([], { until: later(0), needed: Infinity })).to.equal(0);
  });
});
