import { MongoServerError, type Collection, type Long } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { Cursor } from '../../../core/catalog/listings.port.ts';
import { isTransient } from '../driver/errors.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

interface WrittenListings {
  readonly slugs: readonly string[];
  readonly cursor: Cursor;
}

/** The order in which listings were written, as the server has it and not by a clock. */
export interface CatalogHistory {
  /** The cursor behind the last write. */
  cursor(call: Call): Promise<Cursor>;
  /** The listings that were written after a cursor, each once; null if the history does not go back that far. */
  since(cursor: Cursor, call: Call): Promise<WrittenListings | null>;
  /** Must be called after every write of listings. */
  recordWrite(call: Call): Promise<void>;
}

export function catalogHistoryOf(database: MongoDatabase): CatalogHistory {
  return database.topology === 'standalone' ? new CountedHistory(database) : new OplogHistory(database);
}

interface ChangeEvent {
  readonly operationType: string;
  readonly documentKey?: { readonly _id: string };
}

interface ChangeEvents {
  readonly events: readonly ChangeEvent[];
  readonly cursor: Cursor;
}

/** The maximum number of events in one reply. */
const batchSize = 500;

/**
 * Streams that are closed by one command. An idle process opens ten a second, and a command to close each would be a third
 * of all that it sends.
 */
const streamsClosedTogether = 10;

/** Reading more changes than this costs as much as loading the whole catalog. */
const maxChanges = 10_000;

/**
 * The history that a replica set keeps of itself. A cursor is the resume token of a change stream. Each call opens a
 * stream at the cursor and reads the changes that are there, so that there is no stream to restore after a failover.
 */
class OplogHistory implements CatalogHistory {
  readonly #database: MongoDatabase;
  /** Streams to be closed. The server closes those that a process leaves open after ten minutes. */
  #open: Long[] = [];

  constructor(database: MongoDatabase) {
    this.#database = database;
  }

  async cursor(call: Call): Promise<Cursor> {
    const { cursor } = await this.#database.read(call, () => this.#events({}, 0));
    return cursor;
  }

  async since(cursor: Cursor, call: Call): Promise<WrittenListings | null> {
    const slugs = new Set<string>();
    let seen = cursor;
    while (slugs.size < maxChanges) {
      const resumeAfter = { _data: seen };
      const found = await this.#database.read(call, () =>
        this.#events({ resumeAfter }, batchSize).catch(nullIfCursorIsGone),
      );
      if (found === null) return null;
      for (const { operationType, documentKey } of found.events) {
        if (documentKey === undefined || operationType === 'invalidate') return null;
        slugs.add(documentKey._id);
      }
      seen = found.cursor;
      if (found.events.length < batchSize) return { slugs: [...slugs], cursor: seen };
    }
    return null;
  }

  /** Does nothing: the server records every write. */
  async recordWrite(): Promise<void> {}

  async #events(from: object, size: number): Promise<ChangeEvents> {
    const { cursor: reply } = await this.#database.readCommand({
      aggregate: 'listings',
      pipeline: [{ $changeStream: from }, { $project: { operationType: 1, documentKey: 1 } }],
      cursor: { batchSize: size },
    });
    if (this.#open.push(reply.id) === streamsClosedTogether) this.#closeStreams();
    const { _data: cursor } = reply.postBatchResumeToken;
    return { events: reply.firstBatch, cursor };
  }

  #closeStreams(): void {
    this.#database.db.command({ killCursors: 'listings', cursors: this.#open }).catch(() => {});
    this.#open = [];
  }
}

/** Any error of the server that is not transient means that it no longer has, or never had, the cursor's place. */
function nullIfCursorIsGone(error: unknown): null {
  if (error instanceof MongoServerError && !isTransient(error)) return null;
  throw error;
}

interface CounterDocument {
  readonly _id: string;
  readonly count: number;
}

/**
 * The history on a standalone server, which keeps none. A counter of writes shows whether there were any; then the whole
 * catalog is loaded. If a process is killed between a write and its count, the write is noticed with the next one.
 */
class CountedHistory implements CatalogHistory {
  readonly #database: MongoDatabase;
  readonly #counters: Collection<CounterDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#counters = database.collection('counters');
  }

  async cursor(call: Call): Promise<Cursor> {
    const query = { filter: { _id: 'listings' }, limit: 1 };
    const [counter] = await this.#database.find<CounterDocument>('counters', query, call);
    return String(counter?.count ?? 0);
  }

  async since(cursor: Cursor, call: Call): Promise<WrittenListings | null> {
    return cursor === (await this.cursor(call)) ? { slugs: [], cursor } : null;
  }

  async recordWrite(call: Call): Promise<void> {
    const update = { $inc: { count: 1 } };
    // Safe to repeat, because only a difference counts.
    await this.#database.write(call, (session) =>
      this.#counters.updateOne({ _id: 'listings' }, update, { upsert: true, session }),
    );
  }
}
