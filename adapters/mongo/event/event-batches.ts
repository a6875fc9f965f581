import { MongoServerError } from 'mongodb';
import { saleSubject, statementSubject } from '../../../core/feed/logged-event.ts';
import { carryOut } from '../device/device-mover.ts';
import { duplicateField } from '../driver/errors.ts';
import type { MongoDatabase, Query } from '../driver/mongo-database.ts';
import {
  batchesOf,
  isWaitingEntitlement,
  type AnyLogEntry,
  type BatchDocument,
  type Waiting,
  type WaitingEntitlement,
  type WaitingSale,
  type WaitingStatement,
  type WaitingTier,
} from './event-document.ts';
import { holderOf, nameIn, type HolderCollection } from './event-holders.ts';

/** The commands of a database that the relay sends. */
export type RelayDatabase = Pick<MongoDatabase, 'findOnce' | 'writeCommand'>;

/** The members of a stored batch that the relay needs. */
export type StoredBatch = Pick<BatchDocument, 'first'> & {
  readonly events: readonly Pick<AnyLogEntry, 'id' | 'of'>[];
};

/** Entitlements of one move, and events of each of them: at most 8 MB. */
export const maxEntitlementsMoved = 200;
const maxEventsOfEntitlement = 100;
/** Tiers of one move, and as many sales and statements. */
const maxOthersMoved = 20;

/**
 * The commands of the relay, each in one attempt. Reads show data that a majority has, and everything that this process
 * wrote before (`causal-time.ts`). Writes resolve when a majority has them in its journal. `EventRelay` has the
 * invariants that rely on that.
 */
export class EventBatches {
  readonly #database: RelayDatabase;

  constructor(database: RelayDatabase) {
    this.#database = database;
  }

  /**
   * Lists entitlements, tiers, sales and statements with waiting events, the oldest events first. FRESH relies on the events that are no
   * longer shown.
   */
  async waiting(): Promise<readonly Waiting[]> {
    const query = { filter: { 'outbox.told': { $exists: true } }, sort: { 'outbox.told': 1 } };
    const projection = { productId: 1, outbox: { $slice: ['$outbox', maxEventsOfEntitlement] } };
    const ofEntitlements = { ...projection, kind: 1, createdAt: 1, moves: 1 };
    const reads = await Promise.allSettled([
      this.#database.findOnce<WaitingEntitlement>('entitlements', {
        ...query,
        projection: ofEntitlements,
        limit: maxEntitlementsMoved,
      }),
      this.#database.findOnce<WaitingTier>('tiers', { ...query, projection, limit: maxOthersMoved }),
      this.#waitingSales({ ...query, projection: { ...projection, id: 1 }, limit: maxOthersMoved }),
      this.#waitingStatements({ ...query, projection, limit: maxOthersMoved }),
    ]);
    return reads.flatMap((read): readonly Waiting[] => {
      if (read.status === 'rejected') throw read.reason;
      return read.value;
    });
  }

  async #waitingStatements(query: Query): Promise<readonly WaitingStatement[]> {
    const found = await this.#database.findOnce<WaitingStatement>('statements', query);
    return found.map((waiting) => ({ ...waiting, _id: statementSubject(waiting._id) }));
  }

  async #waitingSales(query: Query): Promise<readonly WaitingSale[]> {
    const found = await this.#database.findOnce<WaitingSale & { readonly id: string }>('sales', query);
    return found.map(({ id, ...waiting }) => ({ ...waiting, _id: saleSubject(id) }));
  }

  /** Carries out the moves of devices of these entitlements that a process has left unfinished. */
  carryOutMoves(waiting: readonly Waiting[]): Promise<void> {
    return carryOut(this.#database, waiting.filter(isWaitingEntitlement));
  }

  /** The last batch of a product. */
  async last(productId: string): Promise<StoredBatch | null> {
    const [batch] = await this.#database.findOnce<StoredBatch>('events', {
      filter: batchesOf(productId),
      projection: { first: 1, 'events.id': 1, 'events.of': 1 },
      sort: { _id: -1 },
      limit: 1,
    });
    return batch ?? null;
  }

  /**
   * Appends batches, and returns the ids of those whose place was free. Keeps CHAIN: no two batches have one id. Throws if
   * the outcome is unknown.
   */
  async append(batches: readonly BatchDocument[]): Promise<ReadonlySet<string>> {
    const reply = await this.#database.writeCommand({ insert: 'events', documents: batches, ordered: false });
    const errors: readonly { readonly index: number; readonly code: number }[] = reply['writeErrors'] ?? [];
    const other = errors.find((error) => duplicateField(error) === null);
    if (other !== undefined) throw new MongoServerError(other);
    const taken = new Set(errors.map(({ index }) => index));
    return new Set(batches.filter((_, index) => !taken.has(index)).map(({ _id }) => _id));
  }

  /**
   * Removes the events of batches from the outboxes that had them, and resolves when a majority has no outbox
   * with them, as TAIL requires. The server waits for the last write of a statement that changes any document. But the
   * last events of a batch may have been removed by another relay after that write, and a majority may not have that
   * removal. So a statement that changes nothing follows: for it the server waits for everything that the primary has
   * written.
   */
  async clearOutboxes(batches: readonly StoredBatch[]): Promise<void> {
    const events = batches.flatMap((batch) => batch.events);
    if (events.length === 0) return;
    const byCollection = Map.groupBy(events, ({ of }) => holderOf(of).collection);
    for (const [collection, own] of byCollection) await this.#clear(collection, own);
  }

  async #clear(collection: HolderCollection, events: StoredBatch['events']): Promise<void> {
    const holders = [...new Set(events.map(({ of }) => holderOf(of).name))];
    const reply = await this.#database.writeCommand({
      update: collection,
      updates: [
        {
          q: { [nameIn(collection)]: { $in: holders } },
          u: { $pull: { outbox: { id: { $in: events.map(({ id }) => id) } } } },
          multi: true,
        },
        { q: { _id: null }, u: { $unset: { outbox: 1 } } },
      ],
    });
    const [error] = reply['writeErrors'] ?? [];
    if (error !== undefined) throw new MongoServerError(error);
  }
}
