import { expect } from 'chai';
import * as fc from 'fast-check';
import { filteredPage, mergedPage } from '../../../core/tenant/limited-pages.ts';
import { range } from '../../support/range.ts';

const compare = (a: number, b: number): number => a - b;

/** The products of a key, and the product of each item of a list. */
const lists = fc.integer({ min: 1, max: 6 }).chain((products) =>
  fc.record({
    products: fc.constant(range(products).map(String)),
    items: fc.uniqueArray(fc.record({ value: fc.nat(999), product: fc.nat(products - 1) }), {
      selector: ({ value }) => value,
      maxLength: 60,
    }),
    limit: fc.integer({ min: 1, max: 30 }),
  }),
);

describe('a page that is merged', () => {
  it('has the first items of all products, and reads at most three times as many', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async ({ products, items, limit }) => {
        const sorted = items.toSorted((a, b) => a.value - b.value);
        let read = 0;
        const found = await mergedPage<number>(products, limit, compare, async (id, after, size) => {
          const own = sorted.filter(({ product }) => String(product) === id).map(({ value }) => value);
          const part = own.filter((value) => after === null || value > after).slice(0, size);
          read += part.length;
          return part;
        });
        expect(found).to.deep.equal(sorted.map(({ value }) => value).slice(0, limit));
        expect(read).to.be.at.most(3 * limit + products.length);
      }),
    );
  });

  it('reads a share of each product, which is enough where all have fewer', async () => {
    const sizes: number[] = [];
    const found = await mergedPage<number>(range(20).map(String), 50, compare, async (id, _after, size) => {
      sizes.push(size);
      return [Number(id), Number(id) + 20];
    });
    expect(found).to.deep.equal(range(40));
    expect(sizes).to.deep.equal(range(20).map(() => 3));
  });

  it('reads twice as much each time of one that has more', async () => {
    const sizes: number[] = [];
    const found = await mergedPage<number>(['few', 'many'], 14, compare, async (id, after, size) => {
      if (id === 'few') return [];
      sizes.push(size);
      return range(size).map((index) => (after ?? -1) + 1 + index);
    });
    expect(found).to.deep.equal(range(14));
    expect(sizes).to.deep.equal([7, 14]);
  });

  it('is empty for no products', async () => {
    expect(await mergedPage<number>([], 9, compare, async () => [1])).to.deep.equal([]);
  });
});

describe('a page that is filtered', () => {
  for (const [count, every, limit, reads] of [
    [0, 1, 5, [null]],
    [199, 1, 5, [null]],
    [199, 199, 5, [null]],
    [200, 1, 200, [null]],
    [200, 1, 201, [null, 199]],
    [650, 100, 2, [null]],
    [650, 100, 3, [null, 199]],
    [650, 100, 9, [null, 199, 399, 599]],
  ] as const) {
    it(`reads ${reads.length} times for ${limit} where one of ${every} of ${count} counts`, async () => {
      const asked: (number | null)[] = [];
      const found = await filteredPage<number>(
        limit,
        async (after, size) => {
          asked.push(after);
          return range(count).slice((after ?? -1) + 1, (after ?? -1) + 1 + size);
        },
        (items) => items.filter((item) => item % every === 0),
      );
      expect(found).to.deep.equal(
        range(count)
          .filter((item) => item % every === 0)
          .slice(0, limit),
      );
      expect(asked).to.deep.equal(reads);
    });
  }
});
