import { distance } from 'fastest-levenshtein';

/** A name that nobody knows, and the one that it is probably a misspelling of, or null. */
export interface UnknownName {
  readonly name: string;
  readonly nearest: string | null;
}

/** Returns the names that are not known. A known name that is given too is never proposed as the nearest. */
export function unknownNames(given: readonly string[], known: readonly string[]): readonly UnknownName[] {
  const left = known.filter((name) => !given.includes(name));
  return given.filter((name) => !known.includes(name)).map((name) => ({ name, nearest: nearestName(name, left) }));
}

/** One message for each misspelt name. It is quoted as JSON, because it may have control characters. */
export function misspellings(names: readonly UnknownName[]): readonly string[] {
  return names.flatMap(({ name, nearest }) =>
    nearest === null ? [] : [`${JSON.stringify(name)} is unknown; did you mean ${nearest}?`],
  );
}

/** The name that a text is a misspelling of: in another case or with separators, or with a slip or two. Null if none is. */
export function nearestName(text: string, names: readonly string[]): string | null {
  const bare = bareOf(text);
  return names.find((name) => bareOf(name) === bare) ?? names.find((name) => isSlip(bare, bareOf(name))) ?? null;
}

function bareOf(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** Whether two texts differ by one letter, by two in longer texts, or in the order of their letters. Short texts never. */
function isSlip(a: string, b: string): boolean {
  const length = Math.max(a.length, b.length);
  if (length <= 3) return false;
  const slips = length <= 5 ? 1 : 2;
  // Each slip changes the length by at most one letter.
  if (Math.abs(a.length - b.length) > slips) return false;
  return distance(a, b) <= slips || (a.length === b.length && lettersOf(a) === lettersOf(b));
}

function lettersOf(text: string): string {
  return [...text].toSorted().join('');
}
