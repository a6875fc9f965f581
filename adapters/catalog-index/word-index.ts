import { wordsOf } from '../../core/catalog/search-text.ts';
import { searchedText, type Entry } from './entry.ts';
import { TrigramIndex } from './trigram-index.ts';

/** Some distinct words, with the indexes of the entries that have each. */
interface Block {
  /** Indexes the text of all words, each followed by a line feed. */
  readonly trigrams: TrigramIndex;
  /** The position of each word in that text. */
  readonly starts: Uint32Array;
  /** The word at every 64th position, where a search for the word at a position begins. */
  readonly marks: Uint16Array;
  /** The entries that have word `i` are `first + indexes[ends[i - 1]..ends[i]]`. */
  readonly indexes: Uint16Array;
  readonly first: number;
  readonly ends: Uint32Array;
}

/** The words of the first entries, and which entries have them. Immutable. */
export interface WordIndex {
  /** The number of entries whose words it has. */
  readonly size: number;
  readonly blocks: readonly Block[];
}

/** The indexes count from the first entry of the part. */
type Word = readonly [word: string, indexes: readonly number[]];

/** At most 65,536: indexes are stored in 16 bits. */
const entriesPerPart = 4096;
const entriesPerStep = 32;
const wordsPerBlock = 2048;
const markShift = 6;

export const noWords: WordIndex = { size: 0, blocks: [] };

/** Indexes the words of entries, part by part, so that no table grows so large that growing it takes long. */
export function* indexWords(entries: readonly Entry[]): Generator<void, WordIndex> {
  const blocks: Block[] = [];
  for (let first = 0; first < entries.length; first += entriesPerPart) {
    let block: Word[] = [];
    for (const word of yield* entriesByWord(entries, first, first + entriesPerPart)) {
      if (block.push(word) < wordsPerBlock) continue;
      blocks.push(makeBlock(block, first));
      block = [];
      yield;
    }
    blocks.push(makeBlock(block, first));
  }
  return { size: entries.length, blocks };
}

function* entriesByWord(entries: readonly Entry[], first: number, end: number): Generator<void, Map<string, number[]>> {
  const byWord = new Map<string, number[]>();
  for (let index = first; index < Math.min(end, entries.length); index += 1) {
    const entry = entries[index];
    for (const word of entry === undefined ? [] : wordsOf(searchedText(entry))) {
      const indexes = byWord.get(word);
      if (indexes === undefined) byWord.set(word, [index - first]);
      else indexes.push(index - first);
    }
    if (index % entriesPerStep === 0) yield;
  }
  return byWord;
}

/** Calls `onMatch` with the index of every entry that has a word containing the term, with some more than once. */
export function* walkWords({ blocks }: WordIndex, term: string, onMatch: (index: number) => void): Generator<void> {
  for (const block of blocks) {
    walkBlock(block, term, onMatch);
    yield;
  }
}

/** Does the same for one block. A function of its own, because V8 compiles the loops of a generator to slower code. */
function walkBlock(
  { trigrams, starts, marks, indexes, first, ends }: Block,
  term: string,
  onMatch: (index: number) => void,
): void {
  let nextStart = 0;
  for (const position of trigrams.positionsOf(term)) {
    if (position < nextStart) continue;
    let word = marks[position >> markShift] ?? 0;
    while ((starts[word + 1] ?? Infinity) <= position) word += 1;
    for (let at = ends[word - 1] ?? 0; at < (ends[word] ?? 0); at += 1) onMatch(first + (indexes[at] ?? 0));
    nextStart = starts[word + 1] ?? Infinity;
  }
}

function makeBlock(words: readonly Word[], first: number): Block {
  const starts = new Uint32Array(words.length);
  const ends = new Uint32Array(words.length);
  const indexes = new Uint16Array(words.reduce((sum, [, { length }]) => sum + length, 0));
  let start = 0;
  let end = 0;
  for (const [position, [word, ofWord]] of words.entries()) {
    starts[position] = start;
    start += word.length + 1;
    indexes.set(ofWord, end);
    end += ofWord.length;
    ends[position] = end;
  }
  const trigrams = new TrigramIndex(words.map(([word]) => `${word}\n`).join(''));
  return { trigrams, starts, marks: marksOf(starts, start), indexes, first, ends };
}

/** The word at every 64th position of a text of `length` characters. */
function marksOf(starts: Uint32Array, length: number): Uint16Array {
  const marks = new Uint16Array((length >> markShift) + 1);
  let word = 0;
  for (let mark = 0; mark < marks.length; mark += 1) {
    while ((starts[word + 1] ?? Infinity) <= mark << markShift) word += 1;
    marks[mark] = word;
  }
  return marks;
}
