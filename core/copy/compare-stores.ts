import type { NewCall } from '../call.ts';
import { compareCodePoints } from '../code-points.ts';
import { sections, type Archive, type Entry, type Section } from './archive.port.ts';

/** One thing that two stores do not have alike. */
export interface Difference {
  readonly section: Section;
  readonly kind: 'missing' | 'surplus' | 'different';
  /** Null in the waitlist, where it would be an address. */
  readonly id: string | null;
}

export interface Comparison {
  /** How many things the first store has. */
  readonly entries: number;
  readonly differences: number;
  /** Some of them, in the order of the sections and ids. */
  readonly first: readonly Difference[];
}

/** Compares everything that two stores keep. Told of each thing of the first as it is passed. */
export type CompareStores = (newCall: NewCall, passed?: () => void) => Promise<Comparison>;

const named = 10;

export function compareStores(from: Archive, to: Archive): CompareStores {
  return async (newCall, passed) => {
    const first: Difference[] = [];
    let entries = 0;
    let differences = 0;
    for (const section of sections) {
      for await (const { kind, id } of walk(from, to, section, newCall)) {
        if (kind !== 'surplus') {
          entries += 1;
          passed?.();
        }
        if (kind === 'same') continue;
        differences += 1;
        if (first.length < named) first.push({ section, kind, id: section === 'signUps' ? null : id });
      }
    }
    return { entries, differences, first };
  };
}

export type Step =
  | { readonly kind: 'same' | 'surplus'; readonly id: string }
  /** The first store's entry. */
  | { readonly kind: 'missing' | 'different'; readonly id: string; readonly entry: Entry };

/** Everything of one section that either store has, by id, and how the second has it. */
export async function* walk(
  from: Archive,
  to: Archive,
  section: Section,
  newCall: NewCall,
): AsyncGenerator<Step, void, undefined> {
  const others = entriesOf(to, section, newCall);
  let other = await others.next();
  for await (const entry of entriesOf(from, section, newCall)) {
    while (other.done !== true && compareCodePoints(other.value.id, entry.id) < 0) {
      yield { kind: 'surplus', id: other.value.id };
      other = await others.next();
    }
    if (other.done === true || other.value.id !== entry.id) {
      yield { kind: 'missing', id: entry.id, entry };
      continue;
    }
    if (isSame(entry.value, other.value.value)) yield { kind: 'same', id: entry.id };
    else yield { kind: 'different', id: entry.id, entry };
    other = await others.next();
  }
  for (; other.done !== true; other = await others.next()) yield { kind: 'surplus', id: other.value.id };
}

async function* entriesOf(
  archive: Archive,
  section: Section,
  newCall: NewCall,
): AsyncGenerator<Entry, void, undefined> {
  let page = await archive.page(section, '', newCall());
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield* page;
    page = await archive.page(section, last.id, newCall());
  }
}

/** Whether two values say the same, whatever the order of their members. */
function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [members, others] = [Object.entries(a), new Map<string, unknown>(Object.entries(b))];
  return members.length === others.size && members.every(([name, value]) => isSame(value, others.get(name)));
}
