import type { OnBatch } from '../../../core/store/store.port.ts';
import { EventBatches, type RelayDatabase, type StoredBatch } from './event-batches.ts';
import {
  newBatch,
  toLogEntries,
  type BatchDocument,
  type LogEntry,
  type WaitingEntitlement,
} from './event-document.ts';

/** A batch must stay far below the 16 MB of a document, and the batches of one move below those of a command. */
const maxEventsOfBatch = 500;
const maxEventsOfMove = 2000;

/**
 * Milliseconds for which a tail is remembered. The place behind an old tail may be free again, because the batch that
 * took it was removed after its retention, which is at least seven days.
 */
const tailLifetime = 3_600_000;

/** The end of a product's log, where every event of the last batch has left its outbox. */
interface Tail {
  /** The position of the next event. */
  readonly next: number;
  /** When it was known, by the monotonic clock. */
  readonly at: number;
}

type Tails = ReadonlyMap<string, Tail>;

interface NextBatch {
  readonly productId: string;
  readonly document: BatchDocument;
}

/**
 * Moves events from the outboxes of entitlements to the logs of their products. Any number of processes may do so.
 *
 * The batches of a product are a chain: the place of the next one follows from the last one, and is its id, so that one
 * writer has it. Before a batch is appended, the events of the last one have been removed from the outboxes, and the
 * outboxes are read after that. So what is read is in no batch up to the last one known, and if the place is free there is
 * no later batch. A removal that arrives late does no harm. An append that arrives late finds its place taken, or is the
 * next one itself. All of that holds for writes that a majority has, and for reads of what a majority has.
 */
export class EventRelay {
  readonly #batches: EventBatches;
  readonly #onBatch: OnBatch;
  readonly #clock: () => number;
  #tails: Tails = new Map();

  constructor(database: RelayDatabase, onBatch: OnBatch = () => {}, clock: () => number = () => performance.now()) {
    this.#batches = new EventBatches(database);
    this.#onBatch = onBatch;
    this.#clock = clock;
  }

  /** Moves until nothing waits. */
  async settle(): Promise<void> {
    while ((await this.move()) > 0);
  }

  /**
   * Moves events of at most 200 entitlements, and returns how many entitlements had any. Others may have moved some of
   * them. After an error nothing is known of the logs, and the next move begins with reading their ends.
   */
  async move(): Promise<number> {
    const known = this.#recentTails();
    this.#tails = new Map();
    const waiting = await this.#batches.waiting();
    this.#tails = await this.#moveWaiting(waiting, known);
    return waiting.length;
  }

  async #moveWaiting(waiting: readonly WaitingEntitlement[], known: Tails): Promise<Tails> {
    const unknown = productsOf(waiting).filter((productId) => !known.has(productId));
    if (unknown.length === 0) return this.#append(waiting, known);
    const tails = new Map([...known, ...(await this.#settleLast(unknown))]);
    // What was read before may be in the batches that have just been settled.
    return this.#append(await this.#batches.waiting(), tails);
  }

  /** Removes the events of each product's last batch from the outboxes, and returns the tails. */
  async #settleLast(productIds: readonly string[]): Promise<Tails> {
    const at = this.#clock();
    const reads = await Promise.allSettled(productIds.map((productId) => this.#batches.last(productId)));
    const last = reads.map((read) => {
      if (read.status === 'rejected') throw read.reason;
      return read.value;
    });
    await this.#batches.settle(last.filter((batch) => batch !== null));
    return new Map(productIds.map((productId, index) => [productId, { next: nextPosition(last[index]), at }]));
  }

  /** Appends a batch to each product whose tail is known, removes its events from the outboxes, and returns the tails. */
  async #append(waiting: readonly WaitingEntitlement[], known: Tails): Promise<Tails> {
    const at = this.#clock();
    const batches = nextBatches(waiting, known);
    if (batches.length === 0) return known;
    const appended = await this.#batches.append(batches.map(({ document }) => document));
    await this.#batches.settle(batches.flatMap(({ document }) => (appended.has(document._id) ? [document] : [])));
    const tails = new Map(known);
    for (const { productId, document } of batches) {
      if (appended.has(document._id)) {
        tails.set(productId, { next: nextPosition(document), at });
        this.#onBatch({ kind: 'events', size: document.events.length });
      } else {
        tails.delete(productId);
      }
    }
    return tails;
  }

  #recentTails(): Tails {
    const oldest = this.#clock() - tailLifetime;
    return new Map([...this.#tails].filter(([, { at }]) => at > oldest));
  }
}

function nextBatches(waiting: readonly WaitingEntitlement[], tails: Tails): readonly NextBatch[] {
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

function firstEntries(waiting: readonly WaitingEntitlement[], limit: number): readonly LogEntry[] {
  const entries: LogEntry[] = [];
  for (const each of waiting) entries.push(...toLogEntries(each, limit - entries.length));
  return entries;
}

function productsOf(waiting: readonly WaitingEntitlement[]): readonly string[] {
  return [...new Set(waiting.map(({ productId }) => productId))];
}

function nextPosition(last: StoredBatch | null | undefined): number {
  return last ? last.first + last.events.length : 1;
}
