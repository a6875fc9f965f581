import { expect } from 'chai';
import { firstKept, type LogPart } from '../../../core/feed/event-retention.ts';
import { later } from '../../support/builders.ts';

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
