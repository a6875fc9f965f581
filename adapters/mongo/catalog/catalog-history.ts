import { MongoServerError } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { Cursor } from '../../../core/catalog/listings.port.ts';
import { retryRead } from '../driver/retry-read.ts';
import { within } from '../driver/deadline.ts';
import { isTransient } from '../driver/errors.ts';
import type { MongoStore } from '../driver/mongo-store.ts';
import { retryWrite } from '../driver/retry-write.ts';

interface Since {
  readonly slugs: readonly string[];
  readonly cursor: Cursor;
}

/** What has happened to the listings, in an order that no clock gives. */
export interface CatalogHistory {
  /** The present place in it. */
  cursor(call: Call): Promise<Cursor>;
  /** Which listings were written after a cursor, each once; null where that is not known (any more). */
  since(cursor: Cursor, call: Call): Promise<Since | null>;
  /** To be called when listings were written. */
  wrote(call: Call): Promise<void>;
}

export function catalogHistoryOf(store: MongoStore): CatalogHistory {
  return store.topology === 'standalone' ? new CountedHistory(store) : new OplogHistory(store);
}

interface ChangeEvent {
  readonly operationType: string;
  readonly documentKey?: { readonly _id: string };
}

interface Events {
  readonly events: readonly ChangeEvent[];
  readonly cursor: Cursor;
}

/** Events asked for at once. */
const batchSize = 500;

/** More of them cost as much as loading everything. */
const most = 10_000;

/**
 * The history that a replica set keeps of itself: a cursor is the resume token of a change stream. Each question opens
 * a stream after the cursor, takes what is there, and closes it: nothing is held between two questions, so that a lost
 * primary or connection has nothing to break.
 */
class OplogHistory implements CatalogHistory {
  readonly #store: MongoStore;

  constructor(store: MongoStore) {
    this.#store = store;
  }

  async cursor(call: Call): Promise<Cursor> {
    const { cursor } = await within(
      call,
      retryRead(() => this.#ask({}, 0)),
    );
    return cursor;
  }

  async since(cursor: Cursor, call: Call): Promise<Since | null> {
    const slugs = new Set<string>();
    let seen = cursor;
    while (slugs.size < most) {
      const resumeAfter = { _data: seen };
      const found = await within(call, retryRead(() => this.#ask({ resumeAfter }, batchSize)).catch(nullWhereLost));
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

  async wrote(): Promise<void> {}

  async #ask(from: object, size: number): Promise<Events> {
    const { database } = this.#store;
    const { cursor: reply } = await database.command({
      aggregate: 'listings',
      pipeline: [{ $changeStream: from }, { $project: { operationType: 1, documentKey: 1 } }],
      cursor: { batchSize: size },
      readConcern: { level: 'majority' },
    });
    database.command({ killCursors: 'listings', cursors: [reply.id] }).catch(() => {});
    const { _data: cursor } = reply.postBatchResumeToken;
    return { events: reply.firstBatch, cursor };
  }
}

/** A server that is in order and refuses does not have the token's place any more, or never had it. */
function nullWhereLost(error: unknown): null {
  if (error instanceof MongoServerError && !isTransient(error)) return null;
  throw error;
}

/**
 * A standalone server keeps no history. A counter of writes tells whether there were any, and then everything is
 * loaded. A process that is killed between a write and its count leaves it unseen until the next one.
 */
class CountedHistory implements CatalogHistory {
  readonly #store: MongoStore;

  constructor(store: MongoStore) {
    this.#store = store;
  }

  async cursor(call: Call): Promise<Cursor> {
    const counted = await within(
      call,
      retryRead(() => this.#store.counters.findOne({ _id: 'listings' })),
    );
    return String(counted?.count ?? 0);
  }

  async since(cursor: Cursor, call: Call): Promise<Since | null> {
    return cursor === (await this.cursor(call)) ? { slugs: [], cursor } : null;
  }

  async wrote(call: Call): Promise<void> {
    const update = { $inc: { count: 1 } };
    await within(
      call,
      retryWrite(() => this.#store.counters.updateOne({ _id: 'listings' }, update, { upsert: true })),
    );
  }
}
