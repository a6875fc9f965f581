import type { Collection, Db, Document, MongoClient } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import { beforeDeadline } from './deadline.ts';
import { retryRead, retryWrite } from './retry.ts';

/** The kind of server. Only a replica set keeps every acknowledged write when a server fails. */
export type Topology = 'replica set' | 'sharded cluster' | 'standalone';

export type CollectionName = 'app_keys' | 'counters' | 'entitlements' | 'listings' | 'products' | 'waitlist';

export interface Query {
  readonly filter: Document;
  readonly projection?: Document;
  readonly sort?: Document;
  /** The maximum number of documents. The server returns fewer if they exceed the 16 MB of a reply. */
  readonly limit: number;
}

/** An open database: where the store's commands get their deadlines and retries. `retry.ts` has the rules. */
export class MongoDatabase {
  readonly topology: Topology;
  readonly db: Db;
  readonly #client: MongoClient;

  constructor(client: MongoClient, db: Db, topology: Topology) {
    this.#client = client;
    this.db = db;
    this.topology = topology;
  }

  collection<T extends Document>(name: CollectionName): Collection<T> {
    return this.db.collection<T>(name);
  }

  /** Reads, with one retry. Throws `store_unavailable` at the deadline. */
  read<T>(call: Call, ask: () => Promise<T>): Promise<T> {
    return beforeDeadline(call, retryRead(ask));
  }

  /**
   * Writes, with one retry: only for a write that has the same effect when it is applied twice. Throws
   * `store_unavailable` at the deadline; whether the write was applied is then unknown.
   */
  write<T>(call: Call, send: () => Promise<T>): Promise<T> {
    return beforeDeadline(call, retryWrite(send));
  }

  /** Writes without a retry. Otherwise like `write`. */
  writeOnce<T>(call: Call, send: () => Promise<T>): Promise<T> {
    return beforeDeadline(call, send());
  }

  /** The documents that a query finds, with one retry. Throws `store_unavailable` at the deadline. */
  find<T>(collection: CollectionName, query: Query, call: Call): Promise<readonly T[]> {
    return this.read(call, () => this.findOnce<T>(collection, query));
  }

  /**
   * The documents that a query finds, in one attempt without a deadline. One plain command: a cursor of the driver costs
   * a third more.
   */
  async findOnce<T>(collection: CollectionName, query: Query): Promise<readonly T[]> {
    const { filter, projection, sort, limit } = query;
    const { cursor } = await this.command({
      find: collection,
      filter,
      ...(projection !== undefined && { projection }),
      ...(sort !== undefined && { sort }),
      limit,
      batchSize: limit,
      singleBatch: true,
      readConcern: { level: 'majority' },
    });
    const documents: readonly T[] = cursor.firstBatch;
    return documents;
  }

  /** Sends a command, in one attempt without a deadline. */
  command(command: Document): Promise<Document> {
    // A command has the read preference of its database only if it is passed again.
    return this.db.command(command, { readPreference: this.db.readPreference });
  }

  /** Whether a primary answers before the deadline. */
  isReady(call: Call): Promise<boolean> {
    return beforeDeadline(call, this.command({ hello: 1 })).then(
      (hello) => hello['isWritablePrimary'] === true,
      () => false,
    );
  }

  /** Closes every connection. No call may be in progress. */
  close(): Promise<void> {
    return this.#client.close();
  }
}
