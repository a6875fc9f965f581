import { expect } from 'chai';
import * as fc from 'fast-check';
import { indexWords, walkWords } from '../../../adapters/catalog-index/word-index.ts';
import { aListing } from '../../support/builders.ts';

const texts = fc.array(
  fc
    .array(fc.string({ unit: fc.constantFrom('a', 'b', '🚀'), minLength: 1, maxLength: 9 }))
    .map((words) => words.join(' ')),
);
const term = fc.string({ unit: fc.constantFrom('a', 'b', '🚀'), minLength: 1, maxLength: 6 });

describe('the word index', () => {
  it('marks the slots of all texts that hold a term, and no others', () => {
    fc.assert(
      fc.property(texts, term, (all, wanted) => {
        const index = finish(indexWords(all.map((text) => ({ listing: aListing(), rendered: '', text }))));
        const marked = new Set<number>();
        finish(walkWords(index, wanted, (slot) => marked.add(slot)));
        const holders = all.flatMap((text, slot) => (text.includes(wanted) ? [slot] : []));
        expect([...marked].toSorted((a, b) => a - b)).to.deep.equal(holders);
      }),
    );
  });
});

function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
