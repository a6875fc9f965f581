import { expect } from 'chai';
import * as fc from 'fast-check';
import { indexWords, walkWords } from '../../../adapters/catalog-index/word-index.ts';
import { aListing } from '../../support/builders.ts';
import { range } from '../../support/range.ts';

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
        expect(marked(all, wanted)).to.deep.equal(all.flatMap((text, slot) => (text.includes(wanted) ? [slot] : [])));
      }),
    );
  });

  it('marks them among thousands of different words', () => {
    const all = range(9000).map((number) => `word${number} ${number % 2 === 0 ? 'even' : 'odd'}`);
    expect(marked(all, 'word8')).to.deep.equal(all.flatMap((text, slot) => (text.includes('word8') ? [slot] : [])));
    expect(marked(all, 'ven')).to.have.length(4500);
  });
});

/** The slots that are marked for a term, each once, ascending. */
function marked(all: readonly string[], wanted: string): readonly number[] {
  const index = finish(indexWords(all.map((text) => ({ listing: aListing(), rendered: '', text }))));
  const slots = new Set<number>();
  finish(walkWords(index, wanted, (slot) => slots.add(slot)));
  return [...slots].toSorted((a, b) => a - b);
}

function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
