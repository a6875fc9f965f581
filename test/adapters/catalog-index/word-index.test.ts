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
  it('finds all texts that contain a term, and no others', () => {
    fc.assert(
      fc.property(texts, term, (all, wanted) => {
        expect(found(all, wanted)).to.deep.equal(all.flatMap((text, index) => (text.includes(wanted) ? [index] : [])));
      }),
    );
  });

  it('finds them among thousands of different words', () => {
    const all = range(9000).map((number) => `word${number} ${number % 2 === 0 ? 'even' : 'odd'}`);
    expect(found(all, 'word8')).to.deep.equal(all.flatMap((text, index) => (text.includes('word8') ? [index] : [])));
    expect(found(all, 'ven')).to.have.length(4500);
  });
});

/** The indexes of the texts that the word index finds, each once, ascending. */
function found(all: readonly string[], wanted: string): readonly number[] {
  const entries = all.map((text) => ({ listing: aListing({ blurb: text }), rendered: '' }));
  const words = finish(indexWords(entries));
  const indexes = new Set<number>();
  finish(walkWords(words, wanted, (index) => indexes.add(index)));
  return [...indexes].toSorted((a, b) => a - b);
}

function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
