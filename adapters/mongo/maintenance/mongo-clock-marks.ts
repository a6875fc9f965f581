import type { Collection, UpdateFilter } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { ClockMarks, StoreTime } from '../../../core/clock/clock-marks.port.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** A document of `clock_marks`. */
interface MarkDocument {
  readonly _id: (typeof ids)[keyof typeof ids];
  readonly at: Date;
  /** The id that the server has given to this collection, as the document `collection` was written. */
  readonly uuid?: string;
}

const ids = { mark: 'served', restore: 'restored', collection: 'collection' } as const;

export class MongoClockMarks implements ClockMarks {
  readonly #database: MongoDatabase;
  readonly #marks: Collection<MarkDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#marks = database.collection<MarkDocument>('clock_marks');
  }

  /** The time of the server is that of the primary. */
  async read(call: Call): Promise<StoreTime> {
    const [document, server] = await Promise.all([this.#find(ids.mark, call), this.#database.serverTime(call)]);
    return { mark: document?.at ?? null, server };
  }

  raise(to: Date, call: Call): Promise<void> {
    return this.#put(ids.mark, { $max: { at: to } }, call);
  }

  reset(to: Date, call: Call): Promise<void> {
    return this.#put(ids.mark, { $set: { at: to } }, call);
  }

  async restoredAt(call: Call): Promise<Date | null> {
    return (await this.#find(ids.restore, call))?.at ?? null;
  }

  async noteRestore(at: Date | null, call: Call): Promise<void> {
    if (at !== null) return this.#put(ids.restore, { $set: { at } }, call);
    await this.#database.write(call, (session) => this.#marks.deleteOne({ _id: ids.restore }, { session }));
  }

  /**
   * Notes a restore by MongoDB's tools, which is noticed by the id of a collection: `mongorestore` makes a new one, whose
   * documents have that of the old one. Call it when the store is opened.
   */
  async noticeRestore(call: Call): Promise<void> {
    const known = await this.#find(ids.collection, call);
    // The first write makes the collection.
    if (known === null) await this.#put(ids.collection, { $set: { at: call.now } }, call);
    const [collection] = await this.#database.read(call, () =>
      this.#database.db.listCollections({ name: 'clock_marks' }).toArray(),
    );
    const uuid = collection !== undefined && 'info' in collection ? collection.info?.uuid?.toString('hex') : undefined;
    if (uuid === undefined || known?.uuid === uuid) return;
    if (known?.uuid !== undefined) await this.noteRestore(call.now, call);
    await this.#put(ids.collection, { $set: { uuid, at: call.now } }, call);
  }

  async #find(id: MarkDocument['_id'], call: Call): Promise<MarkDocument | null> {
    const query = { filter: { _id: id }, limit: 1 };
    const [document] = await this.#database.find<MarkDocument>('clock_marks', query, call);
    return document ?? null;
  }

  async #put(id: MarkDocument['_id'], update: UpdateFilter<MarkDocument>, call: Call): Promise<void> {
    await this.#database.write(call, (session) =>
      this.#marks.updateOne({ _id: id }, update, { session, upsert: true }),
    );
  }
}
