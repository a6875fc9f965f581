import type { NewCall } from '../call.ts';
import { compareCodePoints } from '../code-points.ts';
import { sections, type Archive, type Entry, type Section } from './archive.port.ts';

/** An entry that two stores do not have alike. */
export interface Difference {
  readonly section: Section;
  readonly kind: 'missing' | 'surplus' | 'different';
  /** Null in the waitlist, where the id is an e-mail address. */
  readonly id: string | null;
}

export interface Comparison {
  /** The number of entries in the first store. */
  readonly entries: number;
  readonly differences: number;
  /** The first ten, by section and id. */
  readonly first: readonly Difference[];
}

/** Compares everything that two stores keep. Calls `onEntry` after each entry of the first store. */
export type CompareStores = (newCall: NewCall, onEntry?: () => void) => Promise<Comparison>;

const maxNamed = 10;

export function compareStores(from: Archive, to: Archive): CompareStores {
  return async (newCall, onEntry) => {
    const first: Difference[] = [];
    let entries = 0;
    let differences = 0;
    await moveAllEvents(from, newCall);
    await moveAllEvents(to, newCall);
    for (const section of sections) {
      for await (const { kind, id } of walk(from, to, section, newCall)) {
        if (kind !== 'surplus') {
          entries += 1;
          onEntry?.();
        }
        if (kind === 'same') continue;
        differences += 1;
        if (first.length < maxNamed) first.push({ section, kind, id: section === 'signUps' ? null : id });
      }
    }
    return { entries, differences, first };
  };
}

/** Gives every event its position. */
export async function moveAllEvents(archive: Archive, newCall: NewCall): Promise<void> {
  while (!(await archive.moveEvents(newCall())));
}

export type Step =
  | { readonly kind: 'same' | 'surplus'; readonly id: string }
  /** `entry` is that of the first store. */
  | { readonly kind: 'missing' | 'different'; readonly id: string; readonly entry: Entry };

/** Walks over the ids that a section has in either store, and compares their entries. */
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

/** Compares two values deeply, whatever the order of their members. */
function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [members, others] = [Object.entries(a), new Map<string, unknown>(Object.entries(b))];
  return members.length === others.size && members.every(([name, value]) => isSame(value, others.get(name)));
}
