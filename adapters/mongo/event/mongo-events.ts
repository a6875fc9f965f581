import type { Document } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import { placeId } from '../../../core/copy/archive.port.ts';
import type { EventPage, Events } from '../../../core/feed/events.port.ts';
import { firstKept } from '../../../core/feed/prune-events.ts';
import { Refusal } from '../../../core/refusal.ts';
import { keyOf, streamName } from '../../../core/webhook/stream/delivery-stream.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import type { StreamDocument } from '../webhook/mongo-delivery-streams.ts';
import type { EndpointDocument } from '../webhook/mongo-webhook-endpoints.ts';
import type { WaitingDocument } from '../webhook/waiting-document.ts';
import { batchesOf, fromLogEntry, type AnyLogEntry, type BatchDocument } from './event-document.ts';

interface Place {
  readonly _id: string;
  readonly first: number;
  readonly size: number;
}

interface Found {
  readonly first: number;
  readonly index: number;
  readonly entry: AnyLogEntry;
}

/** Batches that one call of `prune` removes at most. The relay puts up to 500 events into a batch. */
const sliceSize = 50;

export class MongoEvents implements Events {
  readonly #database: MongoDatabase;

  constructor(database: MongoDatabase) {
    this.#database = database;
  }

  async page(productId: string, after: number, limit: number, call: Call): Promise<EventPage> {
    const all = batchesOf(productId);
    const [first, last, begin] = await Promise.all([
      this.#place(all, 1, call),
      this.#place(all, -1, call),
      this.#place({ _id: { ...all['_id'], $lte: placeId(productId, after + 1) } }, -1, call),
    ]);
    if (first === null || last === null) return { events: [], first: 0, last: 0 };
    const found = await this.#events(all, { after, limit, start: begin ?? first }, call);
    const events = found.map(({ entry, ...at }) => fromLogEntry(entry, productId, at.first + at.index));
    const [oldest] = events;
    // A gap after the position: the events were removed after the first batch was read.
    const isGone = oldest !== undefined && oldest.position > after + 1;
    const start = isGone ? oldest.position : first.first;
    return { events, first: start, last: Math.max(lastOf(last), events.at(-1)?.position ?? 0) };
  }

  async prune(productId: string, until: Date, call: Call): Promise<number> {
    const all = batchesOf(productId);
    const query = { filter: all, projection: { first: 1, told: 1 }, sort: { _id: 1 }, limit: sliceSize + 1 };
    const batches = await this.#database.find<Pick<BatchDocument, 'first' | 'told'>>('events', query, call);
    const parts = batches.map(({ first, told }) => ({ first, storedAt: told }));
    const [oldest] = parts;
    if (oldest === undefined || oldest.storedAt > until) return 0;
    const needed = await firstUndelivered(this.#database, productId, call);
    const kept = firstKept(parts, { until, needed });
    if (kept === oldest.first) return 0;
    const removed = { _id: { ...all['_id'], $lt: placeId(productId, kept) } };
    const events = this.#database.collection<BatchDocument>('events');
    await this.#database.write(call, (session) => events.deleteMany(removed, { session }));
    return kept - oldest.first;
  }

  /**
   * Writes, which a primary that has been replaced cannot: no majority follows it. Reads that begin afterwards wait until
   * the primary shows that write (`causal-time.ts`), and so everything before it.
   */
  async catchUp(call: Call): Promise<void> {
    const write = { q: { _id: 'feed' }, u: { $inc: { count: 1 } }, upsert: true };
    const { writeErrors } = await this.#database.writeOnce(call, () =>
      this.#database.writeCommand({ update: 'leases', updates: [write] }),
    );
    const [error] = writeErrors ?? [];
    if (error !== undefined) throw new Refusal('store_unavailable', { cause: `MongoServerError ${error.code}` });
  }

  async lastPosition(productId: string, call: Call): Promise<number> {
    const last = await this.#place(batchesOf(productId), -1, call);
    return last === null ? 0 : lastOf(last);
  }

  /** Reads one key of the index `log_end` for each product, whatever the length of its log. */
  lastPositions(productIds: readonly string[], call: Call): Promise<ReadonlyMap<string, number>> {
    const pipeline = [
      { $match: { productId: { $in: productIds } } },
      { $sort: { productId: -1, last: -1 } },
      { $group: { _id: '$productId', last: { $first: '$last' } } },
    ];
    const events = this.#database.collection<BatchDocument>('events');
    return this.#database.read(call, async (session) => {
      const found = events.aggregate<{ readonly _id: string; readonly last: number }>(pipeline, { session });
      return new Map((await found.toArray()).map(({ _id, last }) => [_id, last]));
    });
  }

  /** The first batch in an order, without its events. */
  async #place(filter: Document, order: 1 | -1, call: Call): Promise<Place | null> {
    const projection = { first: 1, size: { $size: '$events' } };
    const [place] = await this.#database.find<Place>(
      'events',
      { filter, projection, sort: { _id: order }, limit: 1 },
      call,
    );
    return place ?? null;
  }

  /** Reads events after a position, from the batch `start` on, which begins before the position if any does. */
  #events(
    all: Document,
    { after, limit, start }: { readonly after: number; readonly limit: number; readonly start: Place },
    call: Call,
  ): Promise<readonly Found[]> {
    const pipeline = [
      { $match: { _id: { ...all['_id'], $gte: start._id } } },
      { $sort: { _id: 1 } },
      { $unwind: { path: '$events', includeArrayIndex: 'index' } },
      { $match: { $expr: { $gt: [{ $add: ['$first', '$index'] }, after] } } },
      { $limit: limit },
      { $project: { _id: 0, first: 1, index: { $toInt: '$index' }, entry: '$events' } },
    ];
    const events = this.#database.collection<BatchDocument>('events');
    return this.#database.read(call, (session) => events.aggregate<Found>(pipeline, { session }).toArray());
  }
}

/**
 * The first position in the log of a product that an endpoint has not received; infinite without endpoints. A product without
 * a stream is newer than the endpoint, which gets its whole log.
 */
function firstUndelivered(database: MongoDatabase, productId: string, call: Call): Promise<number> {
  const endpoints = database.collection<EndpointDocument>('webhook_endpoints');
  const streams = database.collection<StreamDocument>('delivery_streams');
  const waiting = database.collection<WaitingDocument>('waiting_deliveries');
  const ofProduct = { productId: { $in: [productId, null] } };
  return database.read(call, async (session) => {
    const found = await endpoints.find(ofProduct, { projection: { _id: 1, addition: 1 }, session }).toArray();
    const ids = found.map(({ _id, addition }) => keyOf(streamName({ id: _id, addition }, productId)));
    const projection = { needed: 1, 'moves.put.needed': 1 };
    const known = await streams.find({ _id: { $in: ids } }, { projection, session }).toArray();
    if (known.length < ids.length) return 1;
    const first = { projection: { needed: 1 }, sort: { needed: 1 }, session } as const;
    const aside = await Promise.all(ids.map((stream) => waiting.findOne({ stream }, first)));
    const moving = known.flatMap(({ moves }) => moves?.put ?? []);
    return Math.min(...[...known, ...moving, ...aside].map((one) => one?.needed ?? Infinity));
  });
}

function lastOf({ first, size }: Place): number {
  return first + size - 1;
}
