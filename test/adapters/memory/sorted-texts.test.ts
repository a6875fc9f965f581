import { expect } from 'chai';
import * as fc from 'fast-check';
import { SortedTexts } from '../../../adapters/memory/data/sorted-texts.ts';
import { compareCodePoints } from '../../../core/code-points.ts';
import { range } from '../../support/range.ts';

describe('SortedTexts', () => {
  it('is a sorted set, whatever is added and deleted, from any text on', () => {
    const texts = fc.array(fc.tuple(fc.boolean(), fc.string({ maxLength: 2 })), { maxLength: 60 });
    fc.assert(
      fc.property(texts, fc.option(fc.string({ maxLength: 2 })), (steps, after) => {
        const sorted = new SortedTexts();
        const expected = new Set<string>();
        for (const [isAdded, text] of steps) {
          if (isAdded) sorted.add(text);
          else sorted.delete(text);
          if (isAdded) expected.add(text);
          else expected.delete(text);
        }
        const rest = [...expected].filter((text) => after === null || compareCodePoints(text, after) > 0);
        expect([...sorted.after(after)]).to.deep.equal(rest.toSorted(compareCodePoints));
      }),
    );
  });

  it('keeps the order over many chunks', () => {
    const sorted = new SortedTexts();
    const texts = range(5000).map((index) => String((index * 7919) % 5000).padStart(5, '0'));
    for (const text of texts) sorted.add(text);
    for (const text of texts.filter((_, index) => index % 3 === 0)) sorted.delete(text);
    const left = texts.filter((_, index) => index % 3 !== 0).toSorted();
    expect([...sorted.after(null)]).to.deep.equal(left);
    expect([...sorted.after('02500')]).to.deep.equal(left.filter((text) => text > '02500'));
  });
});
