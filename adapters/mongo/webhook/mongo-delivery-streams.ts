import type { Collection } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import {
  fromStoredAnswer,
  storedAnswer,
  type DeliveryAttempt,
  type StoredAnswer,
} from '../../../core/webhook/stream/delivery-attempt.ts';
import {
  fromStoredEffects,
  storedEffects,
  type AnyStoredEffect,
} from '../../../core/webhook/stream/delivery-effect.ts';
import {
  firstNeeded,
  keyOf,
  nothingAside,
  type Aside,
  type DeliveryStream,
  type PendingEvents,
  type StreamName,
} from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams, StreamPage } from '../../../core/webhook/stream/delivery-streams.port.ts';
import { noChanges, takenBack, type WaitingDelivery } from '../../../core/webhook/stream/set-aside.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { movesOf, WaitingMoves, type AsideMoves } from './waiting-moves.ts';

/**
 * A document of `delivery_streams`. `pending` is an array, because an entitlement's id may contain full stops, so it
 * cannot be the name of a member. `needed` is the first position of the log that has not been delivered.
 */
export type StreamDocument = { readonly _id: string; readonly needed: number } & Omit<
  DeliveryStream,
  'pending' | 'aside' | 'attempts' | 'effects'
> & {
    readonly pending: readonly ({ readonly of: string } & PendingEvents)[];
    readonly attempts: readonly StoredAttempt[];
    /** Absent if there are none. */
    readonly effects?: readonly AnyStoredEffect<Date>[];
    /** Absent from streams of release 0.2.0. */
    readonly aside?: Aside;
    /** The changes to be made in `waiting_deliveries`. Absent once they are made. */
    readonly moves?: AsideMoves;
  };

/** An attempt, as an array because names of members would double its size. Its answer is a status, or why there was none. */
type StoredAttempt = readonly [at: Date, position: number, eventId: string, answer: StoredAnswer, durationMs: number];

export function toStreamDocument({ pending, attempts, effects, ...facts }: DeliveryStream): StreamDocument {
  return {
    _id: keyOf(facts),
    needed: firstNeeded({ pending, cursor: facts.cursor }),
    ...facts,
    pending: [...pending].map(([of, events]) => ({ of, ...events })),
    attempts: attempts.map(toStoredAttempt),
    ...(effects.size > 0 && { effects: storedEffects(effects) }),
  };
}

export function fromStreamDocument(document: StreamDocument): DeliveryStream {
  const { _id: _, needed: __, moves: ___, pending, attempts, effects, aside = nothingAside, ...facts } = document;
  return {
    ...facts,
    aside,
    pending: new Map(pending.map(({ of, ...events }) => [of, events])),
    attempts: attempts.map(fromStoredAttempt),
    effects: fromStoredEffects(effects),
  };
}

function toStoredAttempt({ at, position, eventId, durationMs, ...answer }: DeliveryAttempt): StoredAttempt {
  return [at, position, eventId, storedAnswer(answer), durationMs];
}

function fromStoredAttempt([at, position, eventId, answer, durationMs]: StoredAttempt): DeliveryAttempt {
  return { at, position, eventId, ...fromStoredAnswer(answer), durationMs };
}

/** The range of the ids of an endpoint's streams: `0` is the character after the slash. */
function idsOf(endpointId: string): { readonly $gt: string; readonly $lt: string } {
  return { $gt: `${endpointId}/`, $lt: `${endpointId}0` };
}

export class MongoDeliveryStreams implements DeliveryStreams {
  readonly #database: MongoDatabase;
  readonly #streams: Collection<StreamDocument>;
  readonly #moves: WaitingMoves;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#streams = database.collection('delivery_streams');
    this.#moves = new WaitingMoves(database);
  }

  async find(name: StreamName, call: Call, aside: readonly string[] | 'all' = []): Promise<DeliveryStream | null> {
    const key = keyOf(name);
    for (;;) {
      const document = await this.#document(key, call);
      if (document === null || aside.length === 0) return document && fromStreamDocument(document);
      if (document.moves !== undefined) await this.#moves.settle(key, call);
      const rows = await this.#moves.find(key, aside, call);
      // A delivery that moves meanwhile is found in neither place, or in both.
      const after = await this.#document(key, call);
      if (after?.fence === document.fence) return takenBack(fromStreamDocument(document), rows);
    }
  }

  async page({ endpointId, after, limit }: StreamPage, call: Call): Promise<readonly DeliveryStream[]> {
    const range = { ...(endpointId !== null && idsOf(endpointId)), ...(after !== null && { $gt: keyOf(after) }) };
    const filter = Object.keys(range).length === 0 ? {} : { _id: range };
    const query = { filter, sort: { _id: 1 }, limit };
    const documents = await this.#database.find<StreamDocument>('delivery_streams', query, call);
    return documents.map(fromStreamDocument);
  }

  /** Inserted by upserts, so that an attempt that is repeated changes nothing. */
  async add(streams: readonly DeliveryStream[], call: Call): Promise<void> {
    const operations = streams.map(toStreamDocument).map(({ _id, ...facts }) => ({
      updateOne: { filter: { _id }, update: { $setOnInsert: facts }, upsert: true },
    }));
    await this.#database.write(call, (session) => this.#streams.bulkWrite(operations, { session, ordered: false }));
  }

  /** The changes are stored with the stream first, so that they are not lost if the process ends before they are made. */
  async replace(next: DeliveryStream, call: Call, changes = noChanges): Promise<ReplaceOutcome> {
    const { _id, ...facts } = toStreamDocument(next);
    const moves = movesOf(_id, changes);
    const filter = { _id, fence: next.fence - 1, moves: { $exists: false } };
    const write = { ...facts, ...(moves !== null && { moves }) };
    for (;;) {
      const { modifiedCount } = await this.#database.writeOnce(call, (session) =>
        this.#streams.replaceOne(filter, write, { session }),
      );
      if (modifiedCount > 0) break;
      if (!(await this.#moves.settle(_id, call))) return { kind: 'stale' };
    }
    if (moves !== null) await this.#moves.settle(_id, call);
    return { kind: 'replaced' };
  }

  next(name: StreamName, limit: number, call: Call): Promise<ReadonlyMap<string, WaitingDelivery>> {
    return this.#moves.next(keyOf(name), limit, call);
  }

  async remove(names: readonly StreamName[], call: Call): Promise<void> {
    const keys = names.map(keyOf);
    await this.#database.write(call, (session) => this.#streams.deleteMany({ _id: { $in: keys } }, { session }));
    await this.#moves.removeAll(keys, call);
  }

  async #document(key: string, call: Call): Promise<StreamDocument | null> {
    const query = { filter: { _id: key }, limit: 1 };
    const [document] = await this.#database.find<StreamDocument>('delivery_streams', query, call);
    return document ?? null;
  }
}
