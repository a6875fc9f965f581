import { wordsOf } from '../../core/catalog/search-text.ts';
import type { Entry } from './entry.ts';
import { TrigramIndex } from './trigram-index.ts';

/** Some distinct words, with the indexes of the entries that have each. */
interface Block {
  /** Indexes the text of all words, each followed by a line feed. */
  readonly trigrams: TrigramIndex;
  /** The position of each word in that text. */
  readonly starts: Uint32Array;
  /** The entries that have word `i` are `indexes[ends[i - 1]..ends[i]]`. */
  readonly indexes: Uint32Array;
  readonly ends: Uint32Array;
}

/** The words of the first entries, and which entries have them. Immutable. */
export interface WordIndex {
  /** The number of entries whose words it has. */
  readonly size: number;
  readonly blocks: readonly Block[];
}

type Word = readonly [word: string, indexes: readonly number[]];

const entriesPerPart = 4096;
const entriesPerStep = 32;
const wordsPerBlock = 2048;

export const noWords: WordIndex = { size: 0, blocks: [] };

/** Indexes the words of entries, part by part, so that no table grows so large that growing it takes long. */
export function* indexWords(entries: readonly Entry[]): Generator<void, WordIndex> {
  const blocks: Block[] = [];
  for (let first = 0; first < entries.length; first += entriesPerPart) {
    let block: Word[] = [];
    for (const word of yield* entriesByWord(entries, first, first + entriesPerPart)) {
      if (block.push(word) < wordsPerBlock) continue;
      blocks.push(makeBlock(block));
      block = [];
      yield;
    }
    blocks.push(makeBlock(block));
  }
  return { size: entries.length, blocks };
}

function* entriesByWord(entries: readonly Entry[], first: number, end: number): Generator<void, Map<string, number[]>> {
  const byWord = new Map<string, number[]>();
  for (let index = first; index < Math.min(end, entries.length); index += 1) {
    for (const word of wordsOf(entries[index]?.text ?? '')) {
      const indexes = byWord.get(word);
      if (indexes === undefined) byWord.set(word, [index]);
      else indexes.push(index);
    }
    if (index % entriesPerStep === 0) yield;
  }
  return byWord;
}

/** Calls `onMatch` with the index of every entry that has a word containing the term, with some more than once. */
export function* walkWords({ blocks }: WordIndex, term: string, onMatch: (index: number) => void): Generator<void> {
  for (const { trigrams, starts, indexes, ends } of blocks) {
    let next = 0;
    let nextStart = 0;
    for (const position of trigrams.positionsOf(term)) {
      if (position < nextStart) continue;
      const word = wordAt(starts, position, next);
      for (let at = ends[word - 1] ?? 0; at < (ends[word] ?? 0); at += 1) onMatch(indexes[at] ?? 0);
      next = word + 1;
      nextStart = starts[next] ?? Infinity;
    }
    yield;
  }
}

function makeBlock(words: readonly Word[]): Block {
  const starts = new Uint32Array(words.length);
  const ends = new Uint32Array(words.length);
  const indexes = new Uint32Array(words.reduce((sum, [, { length }]) => sum + length, 0));
  let start = 0;
  let end = 0;
  for (const [position, [word, ofWord]] of words.entries()) {
    starts[position] = start;
    start += word.length + 1;
    indexes.set(ofWord, end);
    end += ofWord.length;
    ends[position] = end;
  }
  return { trigrams: new TrigramIndex(words.map(([word]) => `${word}\n`).join('')), starts, indexes, ends };
}

/** Finds the word at this position, by binary search from word `first` on. */
function wordAt(starts: Uint32Array, position: number, first: number): number {
  let low = first;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? Infinity) <= position) low = middle;
    else high = middle;
  }
  return low;
}
