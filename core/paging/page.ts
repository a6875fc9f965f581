/** Which part of a list a caller asks for. */
export interface PageRequest {
  /** The `next` of the page before; null for the first page. */
  readonly after: string | null;
  /** The maximum number of items, from 1 to `maxPageSize`. */
  readonly limit: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page; null after the last one. */
  readonly next: string | null;
}

export const maxPageSize = 100;
export const defaultPageSize = 50;

/**
 * Makes a page of at most `limit` items from the items that a port returned for a limit of one more, which shows
 * whether there is a next page.
 */
export function pageOf<Item>(
  found: readonly Item[],
  { limit }: PageRequest,
  cursorAt: (last: Item) => string,
): Page<Item> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? cursorAt(last) : null };
}
