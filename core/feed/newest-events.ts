import type { Call } from '../call.ts';
import { compareCodePoints } from '../code-points.ts';
import { ofEntitlements, type Events, type PlacedEvent } from './events.port.ts';

/** Events that are read at once. */
const sliceSize = 200;
/** The first of them in each of several products: the newest of most products are older than all that is asked for. */
const firstSlice = 10;
/** Products that are read at the same time. */
const together = 10;

/** Where a search goes on: before a position in each product that it has begun, and at the end of the others. */
export type Places = ReadonlyMap<string, number>;

export interface NewestEvents {
  readonly items: readonly PlacedEvent[];
  /** Null if nothing is left. */
  readonly next: Places | null;
}

/** Which events are wanted. */
export interface Wanted {
  readonly productIds: readonly string[];
  readonly matches: (placed: PlacedEvent) => boolean;
  readonly limit: number;
  /** Events that are looked at. A search for rare ones goes on at the `next` of its answer. */
  readonly maxRead: number;
}

/**
 * Finds the newest events of entitlements in the logs of products. Those of a product come in the reverse order of its log,
 * and those of several products by their instants. Each event has one place, so that no walk over the pages leaves one out
 * or has it twice.
 */
export async function newestEvents(
  events: Pick<Events, 'page' | 'lastPosition'>,
  { productIds, matches, limit, maxRead }: Wanted,
  places: Places,
  call: Call,
): Promise<NewestEvents> {
  const first = productIds.length === 1 ? sliceSize : firstSlice;
  const logs = productIds.map((id) => new Log(events, id, places.get(id) ?? null, first));
  for (let index = 0; index < logs.length; index += together) {
    await Promise.all(logs.slice(index, index + together).map((log) => log.fill(call)));
  }
  const items: PlacedEvent[] = [];
  for (let read = 0; read < maxRead; read += 1) {
    const log = newest(logs);
    if (log === null) return { items, next: null };
    const { head } = log;
    if (head !== null && matches(head)) {
      if (items.length === limit) break;
      items.push(head);
    }
    log.skip();
    // A slice of what is about no entitlement has no head, and counts as one that was looked at.
    await log.fill(call);
  }
  return { items, next: newest(logs) === null ? null : new Map(logs.flatMap((log) => log.place)) };
}

/** The log of a product, read from its end. */
class Log {
  readonly productId: string;
  readonly #events: Pick<Events, 'page' | 'lastPosition'>;
  #size: number;
  /** Everything before this position is still to be read; null before the first read of the log. */
  #end: number | null;
  #isBegun: boolean;
  /** The newest first, each with the last instant of those up to it. */
  #slice: { readonly placed: PlacedEvent; readonly latest: number }[] = [];

  constructor(events: Pick<Events, 'page' | 'lastPosition'>, productId: string, end: number | null, size: number) {
    this.#events = events;
    this.productId = productId;
    this.#end = end;
    this.#isBegun = end !== null;
    this.#size = size;
  }

  /** Reads the next slice if the last one is used up. */
  async fill(call: Call): Promise<void> {
    if (this.#slice.length > 0) return;
    this.#end ??= (await this.#events.lastPosition(this.productId, call)) + 1;
    if (this.#end <= 1) return;
    const from = Math.max(1, this.#end - this.#size);
    const page = await this.#events.page(this.productId, from - 1, this.#end - from, call);
    const end = this.#end;
    let latest = -Infinity;
    const slice = ofEntitlements(page.events)
      .filter(({ position }) => position < end)
      .map((placed) => ({ placed, latest: (latest = Math.max(latest, placed.event.at.getTime())) }));
    this.#slice = slice.toReversed();
    this.#end = page.first >= from ? 1 : from;
    this.#size = sliceSize;
  }

  get head(): PlacedEvent | null {
    return this.#slice[0]?.placed ?? null;
  }

  get isUsedUp(): boolean {
    return this.#slice.length === 0 && this.#end !== null && this.#end <= 1;
  }

  /**
   * The instant by which it is compared with others. An event of the clock has that at which a status changed, which may be
   * long past, so older events of the slice count too. A slice without events comes before everything.
   */
  get latest(): number {
    return this.#slice[0]?.latest ?? Infinity;
  }

  skip(): void {
    this.#slice.shift();
    this.#isBegun = true;
  }

  /** Where to go on, if it was begun. */
  get place(): readonly (readonly [productId: string, before: number])[] {
    if (!this.#isBegun) return [];
    return [[this.productId, this.head === null ? (this.#end ?? 1) : this.head.position + 1]];
  }
}

/** The log that has the newest of the events that are left; null if nothing is left. */
function newest(logs: readonly Log[]): Log | null {
  let found: Log | null = null;
  for (const log of logs) {
    if (!log.isUsedUp && (found === null || isBefore(log, found))) found = log;
  }
  return found;
}

function isBefore(one: Log, other: Log): boolean {
  const difference = other.latest - one.latest;
  return Number.isNaN(difference) || difference === 0
    ? compareCodePoints(one.productId, other.productId) < 0
    : difference < 0;
}
