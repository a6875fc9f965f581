import type { ClientSession, Collection, Db, Document, MongoClient } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { OnBatch } from '../../../core/store/store.port.ts';
import type { CausalTime } from './causal-time.ts';
import { beforeDeadline, beforeTimeout } from './deadline.ts';
import { retryRead, retryWrite } from './retry.ts';

/** The kind of server. Only a replica set keeps every acknowledged write when a server fails. */
export type Topology = 'replica set' | 'sharded cluster' | 'standalone';

export type CollectionName =
  | 'affiliates'
  | 'app_keys'
  | 'buyer_links'
  | 'clock_marks'
  | 'counters'
  | 'delivery_streams'
  | 'devices'
  | 'entitlements'
  | 'events'
  | 'leases'
  | 'license_secrets'
  | 'listings'
  | 'operator_keys'
  | 'operator_sessions'
  | 'prices'
  | 'products'
  | 'promotions'
  | 'retention_promises'
  | 'sales'
  | 'signing_keys'
  | 'statements'
  | 'stripe_cases'
  | 'tiers'
  | 'trials'
  | 'waiting_deliveries'
  | 'waitlist'
  | 'webhook_endpoints';

export interface Query {
  readonly filter: Document;
  readonly projection?: Document;
  readonly sort?: Document;
  /** The maximum number of documents. The server returns fewer if they exceed the 16 MB of a reply. */
  readonly limit: number;
}

interface Connected {
  readonly client: MongoClient;
  readonly db: Db;
  readonly topology: Topology;
  readonly causalTime: CausalTime;
  readonly onBatch?: OnBatch | undefined;
}

/**
 * An open database. Here the store's commands get their deadlines, their retries (`retry.ts` has the rules), and the
 * cluster time that reads must have reached (`causal-time.ts`).
 */
export class MongoDatabase {
  readonly topology: Topology;
  readonly db: Db;
  /** Called with each batch of look-ups, writes and events. */
  readonly onBatch: OnBatch;
  readonly #client: MongoClient;
  readonly #causalTime: CausalTime;
  /** The maximum time of a command in one attempt, in milliseconds. */
  readonly #timeout: number;

  constructor({ client, db, topology, causalTime, onBatch = () => {} }: Connected) {
    this.#client = client;
    this.db = db;
    this.onBatch = onBatch;
    this.topology = topology;
    this.#causalTime = causalTime;
    // After the driver has ended a silent connection, and so every command that it was not writing.
    this.#timeout = 1.5 * client.options.socketTimeoutMS;
  }

  collection<T extends Document>(name: CollectionName): Collection<T> {
    return this.db.collection<T>(name);
  }

  /** Reads in the session that is passed, with one retry. Throws `store_unavailable` at the deadline. */
  read<T>(call: Call, ask: (session: ClientSession) => Promise<T>): Promise<T> {
    return beforeDeadline(
      call,
      retryRead(() => this.#readInSession(ask)),
    );
  }

  /**
   * Writes in the session that is passed, with one retry: only for a write that has the same effect when it is applied
   * twice. Throws `store_unavailable` at the deadline; whether the write was applied is then unknown.
   */
  write<T>(call: Call, send: (session: ClientSession) => Promise<T>): Promise<T> {
    return beforeDeadline(
      call,
      retryWrite(() => this.#writeInSession(send)),
    );
  }

  /** Writes without a retry. Otherwise like `write`. */
  writeOnce<T>(call: Call, send: (session: ClientSession) => Promise<T>): Promise<T> {
    return beforeDeadline(call, this.#writeInSession(send));
  }

  /** The documents that a query finds, with one retry. Throws `store_unavailable` at the deadline. */
  find<T>(collection: CollectionName, query: Query, call: Call): Promise<readonly T[]> {
    return beforeDeadline(
      call,
      retryRead(() => this.findOnce<T>(collection, query)),
    );
  }

  /**
   * The documents that a query finds, in one attempt without the deadline of a call. One plain command: a cursor of the
   * driver costs a third more.
   */
  async findOnce<T>(collection: CollectionName, query: Query): Promise<readonly T[]> {
    const { filter, projection, sort, limit } = query;
    const { cursor } = await this.readCommand({
      find: collection,
      filter,
      ...(projection !== undefined && { projection }),
      ...(sort !== undefined && { sort }),
      limit,
      batchSize: limit,
      singleBatch: true,
    });
    const documents: readonly T[] = cursor.firstBatch;
    return documents;
  }

  /** The reply to a command that reads, with one retry. Throws `store_unavailable` at the deadline. */
  readReply(command: Document, call: Call): Promise<Document> {
    return beforeDeadline(
      call,
      retryRead(() => this.readCommand(command)),
    );
  }

  /** Sends a command that reads, in one attempt without the deadline of a call. */
  readCommand(command: Document): Promise<Document> {
    return this.#causalTime.read((afterClusterTime) => {
      const readConcern = { level: 'majority', ...(afterClusterTime !== undefined && { afterClusterTime }) };
      // A command has the read preference of its database only if it is passed again.
      return this.#settled(this.db.command({ ...command, readConcern }, { readPreference: this.db.readPreference }));
    });
  }

  /** Sends a command that writes, in one attempt without the deadline of a call. The reply may contain `writeErrors`. */
  async writeCommand(command: Document): Promise<Document> {
    const reply = await this.#settled(this.db.command({ ...command, writeConcern: { w: 'majority', j: true } }));
    this.#causalTime.advance(reply['operationTime']);
    return reply;
  }

  /** Whether a primary answers before the deadline. */
  isReady(call: Call): Promise<boolean> {
    return beforeDeadline(call, this.db.command({ hello: 1 })).then(
      (hello) => hello['isWritablePrimary'] === true,
      () => false,
    );
  }

  /** The clock of the primary, with one retry. Throws `store_unavailable` at the deadline. */
  async serverTime(call: Call): Promise<Date> {
    const { localTime } = await beforeDeadline(
      call,
      retryRead(() => this.#settled(this.db.command({ hello: 1 }))),
    );
    return localTime;
  }

  /** Closes every connection. No call may be in progress. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /**
   * The reply to a command. While the driver writes a command, it waits until the connection takes more or fails with an
   * error, and so without end if the connection is closed meanwhile.
   */
  #settled(command: Promise<Document>): Promise<Document> {
    return beforeTimeout(this.#timeout, command);
  }

  /** Reads in a causally consistent session, in which the driver adds `afterClusterTime` by itself. */
  #readInSession<T>(ask: (session: ClientSession) => Promise<T>): Promise<T> {
    return this.#causalTime.read((after) =>
      this.#client.withSession((session) => {
        if (after !== undefined) session.advanceOperationTime(after);
        return ask(session);
      }),
    );
  }

  #writeInSession<T>(send: (session: ClientSession) => Promise<T>): Promise<T> {
    return this.#client.withSession(async (session) => {
      const result = await send(session);
      this.#causalTime.advance(session.operationTime);
      return result;
    });
  }
}
