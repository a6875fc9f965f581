import type { AnyBulkWriteOperation, ClientSession, Collection, Document } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { AsideChanges, WaitingDelivery } from '../../../core/webhook/stream/set-aside.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { fromWaitingDocument, toWaitingDocument, waitingId, type WaitingDocument } from './waiting-document.ts';

/** The changes of what is set aside of a stream, as its document has them until they are made. */
export interface AsideMoves {
  readonly all: AsideChanges['all'];
  readonly put: readonly WaitingDocument[];
  /** The ids of documents. */
  readonly remove: readonly string[];
}

/** Null if nothing changes. */
export function movesOf(stream: string, { all, put, remove }: AsideChanges): AsideMoves | null {
  if (all === null && put.size === 0 && remove.size === 0) return null;
  return {
    all,
    put: [...put].map(([of, row]) => toWaitingDocument(stream, of, row)),
    remove: [...remove].map((of) => waitingId(stream, of)),
  };
}

interface HeadDocument extends Document {
  readonly _id: string;
  readonly fence: number;
  readonly moves?: AsideMoves;
}

/**
 * The deliveries of streams that are set aside. A standalone server has no transactions: the changes are stored in the
 * document of the stream and then made, by the first process that needs them. Making them twice changes nothing.
 */
export class WaitingMoves {
  readonly #database: MongoDatabase;
  readonly #waiting: Collection<WaitingDocument>;
  readonly #streams: Collection<HeadDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#waiting = database.collection('waiting_deliveries');
    this.#streams = database.collection('delivery_streams');
  }

  async find(
    stream: string,
    subjects: readonly string[] | 'all',
    call: Call,
  ): Promise<ReadonlyMap<string, WaitingDelivery>> {
    const filter = subjects === 'all' ? { stream } : { _id: { $in: subjects.map((of) => waitingId(stream, of)) } };
    return this.#rows(call, (session) => this.#waiting.find(filter, { session }).toArray());
  }

  next(stream: string, limit: number, call: Call): Promise<ReadonlyMap<string, WaitingDelivery>> {
    const filter = { stream, at: { $gte: new Date(0) } };
    return this.#rows(call, (session) =>
      this.#waiting.find(filter, { session }).sort({ at: 1 }).limit(limit).toArray(),
    );
  }

  /** Makes the changes that a stream has. Returns false if it has none. */
  async settle(stream: string, call: Call): Promise<boolean> {
    const query = { filter: { _id: stream }, projection: { fence: 1, moves: 1 }, limit: 1 };
    const [head] = await this.#database.find<HeadDocument>('delivery_streams', query, call);
    if (head?.moves === undefined) return false;
    const operations = operationsOf(stream, head.moves);
    await this.#database.write(call, (session) => this.#waiting.bulkWrite(operations, { session, ordered: true }));
    const filter = { _id: stream, fence: head.fence };
    await this.#database.write(call, (session) =>
      this.#streams.updateOne(filter, { $unset: { moves: 1 } }, { session }),
    );
    return true;
  }

  /** Makes the changes of every stream. */
  async settleAll(call: Call): Promise<void> {
    const query = { filter: { moves: { $exists: true } }, projection: { _id: 1 }, limit: 100 };
    for (;;) {
      const heads = await this.#database.find<HeadDocument>('delivery_streams', query, call);
      if (heads.length === 0) return;
      for (const { _id } of heads) await this.settle(_id, call);
    }
  }

  async removeAll(streams: readonly string[], call: Call): Promise<void> {
    const filter = { stream: { $in: streams } };
    await this.#database.write(call, (session) => this.#waiting.deleteMany(filter, { session }));
  }

  async #rows(
    call: Call,
    read: (session: ClientSession) => Promise<readonly WaitingDocument[]>,
  ): Promise<ReadonlyMap<string, WaitingDelivery>> {
    return new Map((await this.#database.read(call, read)).map(fromWaitingDocument));
  }
}

function operationsOf(
  stream: string,
  { all, put, remove }: AsideMoves,
): readonly AnyBulkWriteOperation<WaitingDocument>[] {
  const whole: AnyBulkWriteOperation<WaitingDocument>[] =
    all === null
      ? []
      : all.kind === 'retry'
        ? [{ updateMany: { filter: { stream }, update: { $set: { attempt: 0, at: all.at } } } }]
        : [{ deleteMany: { filter: { stream, at: null } } }];
  return [
    ...whole,
    ...put.map(({ _id, ...row }) => ({ replaceOne: { filter: { _id }, replacement: row, upsert: true } })),
    ...(remove.length === 0 ? [] : [{ deleteMany: { filter: { _id: { $in: [...remove] } } } }]),
  ];
}
