import type { Collection, Document } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import { compareCodePoints } from '../../../core/code-points.ts';
import { placeId, placeOf, type Entry } from '../../../core/copy/archive.port.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { fromLogEntry, newBatch, type AnyLogEntry, type BatchDocument } from '../event/event-document.ts';

interface Found {
  readonly _id: string;
  readonly first: number;
  readonly index: number;
  readonly entry: AnyLogEntry;
}

/** Events of one page behind the batch of the event before it. */
const pageSize = 200;

/**
 * The logs of a store, event by event. A copy stores each event as a batch of its own; the batches that the relay makes
 * have many.
 */
export class ArchivedEvents {
  readonly #database: MongoDatabase;
  readonly #batches: Collection<BatchDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#batches = database.collection('events');
  }

  async count(call: Call): Promise<number> {
    const stages = [{ $group: { _id: null, events: { $sum: { $size: '$events' } } } }];
    const [sum] = await this.#aggregate<{ readonly events: number }>(stages, call);
    return sum?.events ?? 0;
  }

  async page(after: string, call: Call): Promise<readonly Entry[]> {
    const query = { filter: { _id: { $lte: after } }, sort: { _id: -1 }, limit: 1 };
    const before = await this.#database.find<BatchDocument>('events', query, call);
    const behind = await this.#aggregate<Found>(
      [
        { $match: { _id: { $gt: after } } },
        { $sort: { _id: 1 } },
        { $unwind: { path: '$events', includeArrayIndex: 'index' } },
        { $limit: pageSize },
        { $project: { first: 1, index: { $toInt: '$index' }, entry: '$events' } },
      ],
      call,
    );
    return [...before.flatMap(entriesOf).filter(({ id }) => id > after), ...behind.map(entryOf)];
  }

  /** Whether one of these places is taken. The ids of batches show only where each begins. */
  async hasOneOf(ids: readonly string[], call: Call): Promise<boolean> {
    const [first = '', last = ''] = endsOf(ids);
    const { productId, position } = placeOf(first);
    const wanted = new Set(ids);
    let page = await this.page(placeId(productId, position - 1), call);
    for (let end = page.at(-1)?.id; end !== undefined; end = page.at(-1)?.id) {
      if (page.some(({ id }) => wanted.has(id))) return true;
      if (compareCodePoints(end, last) >= 0) return false;
      page = await this.page(end, call);
    }
    return false;
  }

  /**
   * Splits the batches that contain one of these events into batches of one, so that it can be removed by its id. If the
   * process dies meanwhile, events are missing until the copy is resumed.
   */
  async split(ids: readonly string[], call: Call): Promise<void> {
    const [first = '', last = ''] = endsOf(ids);
    const query = { filter: { _id: { $lte: first } }, projection: { _id: 1 }, sort: { _id: -1 }, limit: 1 };
    const [start] = await this.#database.find<{ readonly _id: string }>('events', query, call);
    const range = { _id: { $gte: start?._id ?? first, $lte: last }, 'events.1': { $exists: true } };
    const removed = new Set(ids);
    const large = await this.#database.read(call, (session) => this.#batches.find(range, { session }).toArray());
    for (const batch of large) {
      if (!entriesOf(batch).some(({ id }) => removed.has(id))) continue;
      await this.#database.writeOnce(call, async (session) => {
        await this.#batches.deleteOne({ _id: batch._id }, { session });
        await this.#batches.insertMany(singlesOf(batch), { session });
      });
    }
  }

  #aggregate<T extends Document>(stages: Document[], call: Call): Promise<readonly T[]> {
    return this.#database.read(call, (session) => this.#batches.aggregate<T>(stages, { session }).toArray());
  }
}

function entriesOf({ _id, first, events }: BatchDocument): readonly Entry[] {
  return events.map((entry, index) => entryOf({ _id, first, index, entry }));
}

function entryOf({ _id, first, index, entry }: Found): Entry {
  const { productId } = placeOf(_id);
  const placed = fromLogEntry(entry, productId, first + index);
  const id = placeId(productId, placed.position);
  return { section: 'events', id, value: { ...placed, productId, storedAt: entry.told } };
}

function singlesOf({ productId, first, told, events }: BatchDocument): BatchDocument[] {
  return events.map((entry, index) => newBatch({ productId, first: first + index, told, events: [entry] }));
}

function endsOf(ids: readonly string[]): readonly string[] {
  const sorted = ids.toSorted(compareCodePoints);
  return [sorted.at(0) ?? '', sorted.at(-1) ?? ''];
}
