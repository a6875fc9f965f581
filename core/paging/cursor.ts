import { Refusal } from '../refusal.ts';

/** A list with the filters that a walk over it has from its first page to the last. */
export type ListName = readonly [name: string, ...filters: readonly (string | null)[]];

/**
 * Makes the cursor behind an item: opaque text of `A-Z a-z 0-9 - _`. It names the list with its filters, so that it
 * cannot continue another one, and the item by its position in the order of the list.
 */
export function cursorAt(list: ListName, position: readonly string[]): string {
  const text = [...list, ...position].map((part) => (part === null ? '' : `=${encodeURIComponent(part)}`)).join('&');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Reads the position in a cursor of this list. Refuses any other text with `invalid_parameter`. */
export function positionIn(list: ListName, cursor: string): readonly [string, ...string[]] {
  const [first, ...others] = partsOf(cursor)?.slice(list.length) ?? [];
  if (first === undefined || cursorAt(list, [first, ...others]) !== cursor) throw invalidCursor();
  return [first, ...others];
}

/** Reads a position of one text in a cursor of this list; null stands for the first page. Refuses like `positionIn`. */
export function textIn(list: ListName, cursor: string | null): string | null {
  return cursor === null ? null : positionIn(list, cursor)[0];
}

/** Reads an instant of a position. Refuses any other text with `invalid_parameter`. */
export function instantIn(text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw invalidCursor();
  return at;
}

export function invalidCursor(): Refusal {
  return new Refusal('invalid_parameter', { message: 'after must be the next of the page before, of the same list.' });
}

function partsOf(cursor: string): readonly string[] | null {
  try {
    const text = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    return text.split('&').map((part) => decodeURIComponent(part.slice(1)));
  } catch {
    return null;
  }
}
