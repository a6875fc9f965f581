import type { Collection, UpdateFilter } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { ClockMarks, StoreTime } from '../../../core/clock/clock-marks.port.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** The only document of `clock_marks`. */
interface MarkDocument {
  readonly _id: string;
  readonly at: Date;
}

const markId = 'served';

export class MongoClockMarks implements ClockMarks {
  readonly #database: MongoDatabase;
  readonly #marks: Collection<MarkDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#marks = database.collection<MarkDocument>('clock_marks');
  }

  /** The time of the server is that of the primary. */
  async read(call: Call): Promise<StoreTime> {
    const query = { filter: { _id: markId }, limit: 1 };
    const [[document], server] = await Promise.all([
      this.#database.find<MarkDocument>('clock_marks', query, call),
      this.#database.serverTime(call),
    ]);
    return { mark: document?.at ?? null, server };
  }

  raise(to: Date, call: Call): Promise<void> {
    return this.#put({ $max: { at: to } }, call);
  }

  reset(to: Date, call: Call): Promise<void> {
    return this.#put({ $set: { at: to } }, call);
  }

  async #put(update: UpdateFilter<MarkDocument>, call: Call): Promise<void> {
    await this.#database.write(call, (session) =>
      this.#marks.updateOne({ _id: markId }, update, { session, upsert: true }),
    );
  }
}
