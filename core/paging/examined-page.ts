/** Items that one page looks at. */
const maxExamined = 2000;

/** Items that are read at once if a page may pass over some: about 2 ms of the process's time. */
const sliceSize = 200;

/** The items of a page that has looked at some of a list. */
export interface ExaminedPage<Item, Shown> {
  readonly items: readonly Shown[];
  /** The last item that was looked at, after which the next page begins; null if the list has ended. */
  readonly last: Item | null;
}

/** The items that a page looks at. */
export interface Examination<Item, Shown> {
  readonly limit: number;
  /** Whether every item is shown, so that no more than the page has to be read. */
  readonly showsAll: boolean;
  /** Reads at most `limit` items after one, or the first ones of the page. */
  readonly read: (after: Item | null, limit: number) => Promise<readonly Item[]>;
  /** The shown form of an item; null for one that the page passes over. */
  readonly show: (item: Item) => Shown | null;
}

/**
 * Fills a page with the items that are shown, and looks at no more than 2,000 for it: a page may have fewer than `limit`,
 * even none, and still a next one.
 */
export async function examinedPage<Item, Shown>(
  examination: Examination<Item, Shown>,
): Promise<ExaminedPage<Item, Shown>> {
  const { limit, showsAll, read, show } = examination;
  const size = showsAll ? limit : sliceSize;
  const items: Shown[] = [];
  let last: Item | null = null;
  for (let examined = 0; examined < maxExamined && items.length < limit; examined += size) {
    const found: readonly Item[] = await read(last, size + 1);
    for (const item of found.slice(0, size)) {
      if (items.length === limit) return { items, last };
      last = item;
      const shown = show(item);
      if (shown !== null) items.push(shown);
    }
    if (found.length <= size) return { items, last: null };
  }
  return { items, last };
}
