import { hour } from '../../../core/parsing/duration.ts';
import type { OnBatch } from '../../../core/store/store.port.ts';
import { EventBatches, type RelayDatabase, type StoredBatch } from './event-batches.ts';
import { newBatch, toLogEntries, type AnyLogEntry, type BatchDocument, type Waiting } from './event-document.ts';

/*
 * The steps by which events get their positions, for each product:
 *
 *   outboxes of its entitlements            its log, batch by batch
 *
 *   ent_a [ e6 e7 ]                         1            4            7
 *   ent_b [ e8 ]                            [ e1 e2 e3 ] [ e4 e5 e6 ] ( free )
 *           |  ^                                            |            ^
 *           |  +-- 2. remove what the last batch has <------+ 1. read    |
 *           |                                                            |
 *           +-- 3. read what is left: e7 e8 ---------- 4. append it -----+   and 2. again, for the new batch
 *
 * Any number of processes may do so at the same time, die, and send commands late. Three invariants keep each event in
 * exactly one batch, and every batch where it is:
 *
 * - CHAIN: The id of a batch is the place right behind the batch before it. So a place has one writer, positions have no
 *   gap, and a batch never appears before one that was read.
 * - TAIL: A batch is appended behind another only after the events of that one have left the outboxes. So only events of
 *   the last batch can still be in outboxes.
 * - FRESH: Events that are appended were read from the outboxes after that. So they are in no batch up to the last one
 *   known, and if the place behind that one is free, there is no later batch.
 *
 * A removal that arrives late does no harm, because its events are in a batch. An append that arrives late finds its place
 * taken, or is the next batch itself. All of that holds for writes that a majority has stored, and for reads of such
 * writes: `EventBatches` sends no others.
 */

/** A batch must stay far below the 16 MB of a document, and the batches of one move below those of a command. */
const maxEventsOfBatch = 500;
const maxEventsOfMove = 2000;

/**
 * Milliseconds for which a tail is remembered. CHAIN needs the batch that took a place to be there still, and the log
 * forgets it after its retention, which is at least seven days.
 */
const tailLifetime = hour;

/** The end of a product's log whose last batch has left the outboxes: TAIL allows appending there. */
interface Tail {
  /** The place of the next batch: the position of its first event. */
  readonly next: number;
  /** When it was known, by the monotonic clock. */
  readonly at: number;
}

type Tails = ReadonlyMap<string, Tail>;

interface NextBatch {
  readonly productId: string;
  readonly document: BatchDocument;
}

/** Moves events from the outboxes to the logs of their products. */
export class EventRelay {
  readonly #batches: EventBatches;
  readonly #onBatch: OnBatch;
  readonly #clock: () => number;
  /** The tails that the last move has left. */
  #tails: Tails = new Map();

  constructor(database: RelayDatabase, onBatch: OnBatch = () => {}, clock: () => number = () => performance.now()) {
    this.#batches = new EventBatches(database);
    this.#onBatch = onBatch;
    this.#clock = clock;
  }

  /** Moves until nothing waits. */
  async settle(): Promise<void> {
    while ((await this.moveEvents()) > 0);
  }

  /**
   * Moves events of at most 200 entitlements, and of 20 tiers, sales and statements each, and returns the number of
   * those that had any. Other processes may have moved some of the events. Keeps TAIL after an error, whose outcome is
   * unknown: no tail is left, and the next move reads the ends of the logs again.
   */
  async moveEvents(): Promise<number> {
    const known = this.#recentTails();
    this.#tails = new Map();
    const waiting = await this.#batches.waiting();
    this.#tails = await this.#moveWaiting(waiting, known);
    return waiting.length;
  }

  /** Keeps FRESH: the outboxes were read after every tail was known, or are read again. */
  async #moveWaiting(waiting: readonly Waiting[], known: Tails): Promise<Tails> {
    const unknown = productsOf(waiting).filter((productId) => !known.has(productId));
    if (unknown.length === 0) return this.#append(waiting, known);
    const tails = new Map([...known, ...(await this.#findTails(unknown))]);
    return this.#append(await this.#batches.waiting(), tails);
  }

  /** Keeps TAIL: the events of each product's last batch leave the outboxes before its end counts as a tail. */
  async #findTails(productIds: readonly string[]): Promise<Tails> {
    const at = this.#clock();
    const reads = await Promise.allSettled(productIds.map((productId) => this.#batches.last(productId)));
    const last = reads.map((read) => {
      if (read.status === 'rejected') throw read.reason;
      return read.value;
    });
    await this.#batches.clearOutboxes(last.filter((batch) => batch !== null));
    return new Map(productIds.map((productId, index) => [productId, { next: nextPlace(last[index]), at }]));
  }

  /**
   * Appends a batch to each product whose tail is known, and returns the tails after that. Keeps CHAIN: a place that is
   * taken is left to its batch, and the tail is no longer known. Keeps TAIL: a new end is one when its events have left
   * the outboxes.
   */
  async #append(waiting: readonly Waiting[], known: Tails): Promise<Tails> {
    const at = this.#clock();
    const batches = nextBatches(waiting, known);
    if (batches.length === 0) return known;
    // An entitlement whose events have gone is not looked at again.
    await this.#batches.carryOutMoves(waiting);
    const appended = await this.#batches.append(batches.map(({ document }) => document));
    await this.#batches.clearOutboxes(
      batches.flatMap(({ document }) => (appended.has(document._id) ? [document] : [])),
    );
    const tails = new Map(known);
    for (const { productId, document } of batches) {
      if (appended.has(document._id)) {
        tails.set(productId, { next: nextPlace(document), at });
        this.#onBatch({ kind: 'events', size: document.events.length });
      } else {
        tails.delete(productId);
      }
    }
    return tails;
  }

  /** Keeps CHAIN: forgets tails whose place may be free again. */
  #recentTails(): Tails {
    const oldest = this.#clock() - tailLifetime;
    return new Map([...this.#tails].filter(([, { at }]) => at > oldest));
  }
}

/** Makes the batch behind each tail, of the first events that wait in its entitlements. Keeps CHAIN: its id is the place. */
function nextBatches(waiting: readonly Waiting[], tails: Tails): readonly NextBatch[] {
  const batches: NextBatch[] = [];
  let room = maxEventsOfMove;
  for (const [productId, own] of Map.groupBy(waiting, (each) => each.productId)) {
    const tail = tails.get(productId);
    const events = tail === undefined ? [] : firstEntries(own, Math.min(maxEventsOfBatch, room));
    room -= events.length;
    if (tail === undefined || events.length === 0) continue;
    const document = newBatch({ productId, first: tail.next, told: new Date(), events });
    batches.push({ productId, document });
  }
  return batches;
}

function firstEntries(waiting: readonly Waiting[], limit: number): readonly AnyLogEntry[] {
  const entries: AnyLogEntry[] = [];
  for (const each of waiting) entries.push(...toLogEntries(each, limit - entries.length));
  return entries;
}

function productsOf(waiting: readonly Waiting[]): readonly string[] {
  return [...new Set(waiting.map(({ productId }) => productId))];
}

/** The place behind a batch, or the first one of an empty log. */
function nextPlace(last: StoredBatch | null | undefined): number {
  return last ? last.first + last.events.length : 1;
}
