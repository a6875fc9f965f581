import { wordsOf } from '../../core/catalog/search-text.ts';
import type { Entry } from './entry.ts';
import { TrigramIndex } from './trigram-index.ts';

/** Some words, each once, with the slots of the entries that have it. */
interface Block {
  /** In the words with a line feed after each. */
  readonly occurrences: TrigramIndex;
  /** Where each word begins. */
  readonly starts: Uint32Array;
  /** The slots of word `i` are `slots[ends[i - 1]..ends[i]]`. */
  readonly slots: Uint32Array;
  readonly ends: Uint32Array;
}

/** Which entries have a word; never changed once it is made. */
export interface WordIndex {
  /** Slots from here on are not in it. */
  readonly size: number;
  readonly blocks: readonly Block[];
}

type Word = readonly [word: string, slots: readonly number[]];

const entriesPerPart = 4096;
const entriesPerStep = 32;
const wordsPerBlock = 2048;

export const noWords: WordIndex = { size: 0, blocks: [] };

/** Each part of the entries has a vocabulary of its own: no table grows so large that growing it takes long. */
export function* indexWords(entries: readonly Entry[]): Generator<void, WordIndex> {
  const blocks: Block[] = [];
  for (let first = 0; first < entries.length; first += entriesPerPart) {
    let gathered: Word[] = [];
    for (const word of yield* slotsByWord(entries, first, first + entriesPerPart)) {
      if (gathered.push(word) < wordsPerBlock) continue;
      blocks.push(makeBlock(gathered));
      gathered = [];
      yield;
    }
    blocks.push(makeBlock(gathered));
  }
  return { size: entries.length, blocks };
}

function* slotsByWord(entries: readonly Entry[], first: number, end: number): Generator<void, Map<string, number[]>> {
  const slotsOf = new Map<string, number[]>();
  for (let slot = first; slot < Math.min(end, entries.length); slot += 1) {
    for (const word of wordsOf(entries[slot]?.text ?? '')) {
      const slots = slotsOf.get(word);
      if (slots === undefined) slotsOf.set(word, [slot]);
      else slots.push(slot);
    }
    if (slot % entriesPerStep === 0) yield;
  }
  return slotsOf;
}

/** Calls `mark` with the slot of every entry that has a word with this term in it, some more than once. */
export function* walkWords({ blocks }: WordIndex, term: string, mark: (slot: number) => void): Generator<void> {
  for (const { occurrences, starts, slots, ends } of blocks) {
    let next = 0;
    let nextStart = 0;
    for (const position of occurrences.of(term)) {
      if (position < nextStart) continue;
      const word = wordAt(starts, position, next);
      for (let at = ends[word - 1] ?? 0; at < (ends[word] ?? 0); at += 1) mark(slots[at] ?? 0);
      next = word + 1;
      nextStart = starts[next] ?? Infinity;
    }
    yield;
  }
}

function makeBlock(words: readonly Word[]): Block {
  const starts = new Uint32Array(words.length);
  const ends = new Uint32Array(words.length);
  const slots = new Uint32Array(words.reduce((sum, [, { length }]) => sum + length, 0));
  let start = 0;
  let end = 0;
  for (const [position, [word, slotsOfWord]] of words.entries()) {
    starts[position] = start;
    start += word.length + 1;
    slots.set(slotsOfWord, end);
    end += slotsOfWord.length;
    ends[position] = end;
  }
  return { occurrences: new TrigramIndex(words.map(([word]) => `${word}\n`).join('')), starts, slots, ends };
}

/** The word that holds this position; it is not before `least`. */
function wordAt(starts: Uint32Array, position: number, least: number): number {
  let low = least;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? Infinity) <= position) low = middle;
    else high = middle;
  }
  return low;
}
