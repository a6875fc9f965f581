/** Reads at most `limit` items of the list of one product: after an item, or the first ones. */
type ReadOfProduct<Item> = (productId: string, after: Item | null, limit: number) => Promise<readonly Item[]>;

/** The items that were read of one product, and not taken yet. */
interface Run<Item> {
  readonly productId: string;
  items: readonly Item[];
  next: number;
  /** The number of items that the last reading asked for. */
  size: number;
}

/**
 * Merges the lists of several products, and returns the first `limit` items. Each product gives a share of the page; the
 * share of one that has more of the page doubles with each reading.
 */
export async function mergedPage<Item>(
  productIds: readonly string[],
  limit: number,
  compare: (a: Item, b: Item) => number,
  read: ReadOfProduct<Item>,
): Promise<readonly Item[]> {
  const share = Math.ceil(limit / Math.max(1, productIds.length));
  const runs = await Promise.all(
    productIds.map(async (productId): Promise<Run<Item>> => {
      return { productId, items: await read(productId, null, share), next: 0, size: share };
    }),
  );
  const merged: Item[] = [];
  while (merged.length < limit) {
    await Promise.all(runs.filter(isSpent).map((run) => readOn(run, read)));
    const first = firstOf(runs, compare);
    if (first === null) break;
    merged.push(first);
  }
  return merged;
}

/** Whether everything that was read is taken, and there may be more. */
function isSpent<Item>({ items, next, size }: Run<Item>): boolean {
  return next === items.length && items.length === size;
}

async function readOn<Item>(run: Run<Item>, read: ReadOfProduct<Item>): Promise<void> {
  const size = run.size * 2;
  const items = await read(run.productId, run.items.at(-1) ?? null, size);
  Object.assign(run, { items, next: 0, size });
}

/** Takes the first item of all runs. */
function firstOf<Item>(runs: readonly Run<Item>[], compare: (a: Item, b: Item) => number): Item | null {
  let first: Run<Item> | null = null;
  let item: Item | null = null;
  for (const run of runs) {
    const own = run.items[run.next];
    if (own === undefined || (item !== null && compare(own, item) >= 0)) continue;
    first = run;
    item = own;
  }
  if (first !== null) first.next += 1;
  return item;
}

/** Items that are read at once of a list that has no index by product: about 2 ms of the process's time. */
const sliceSize = 200;

/** Reads a list until it has given `limit` items that are accepted, or has ended. */
export async function filteredPage<Item>(
  limit: number,
  read: (after: Item | null, limit: number) => Promise<readonly Item[]>,
  accepts: (items: readonly Item[]) => readonly Item[] | Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let after: Item | null = null;
  for (;;) {
    const slice: readonly Item[] = await read(after, sliceSize);
    found.push(...(await accepts(slice)));
    const last = slice.at(-1);
    if (found.length >= limit || last === undefined || slice.length < sliceSize) return found.slice(0, limit);
    after = last;
  }
}
