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
  type DeliveryStream,
  type PendingEvents,
  type StreamName,
} from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams, StreamPage } from '../../../core/webhook/stream/delivery-streams.port.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/**
 * A document of `delivery_streams`. `pending` is an array, because an entitlement's id can be no name of a member: it may
 * have full stops in it. `needed` is the first position of the log that has not been delivered.
 */
export type StreamDocument = { readonly _id: string; readonly needed: number } & Omit<
  DeliveryStream,
  'pending' | 'attempts' | 'effects'
> & {
    readonly pending: readonly ({ readonly of: string } & PendingEvents)[];
    /** Absent from streams of earlier releases. */
    readonly attempts?: readonly StoredAttempt[];
    /** Absent from streams of earlier releases, and if there are none. */
    readonly effects?: readonly AnyStoredEffect<Date>[];
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
  const { _id: _, needed: __, pending, attempts = [], effects, ...facts } = document;
  return {
    ...facts,
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
export function idsOf(endpointId: string): { readonly $gt: string; readonly $lt: string } {
  return { $gt: `${endpointId}/`, $lt: `${endpointId}0` };
}

export class MongoDeliveryStreams implements DeliveryStreams {
  readonly #database: MongoDatabase;
  readonly #streams: Collection<StreamDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#streams = database.collection('delivery_streams');
  }

  async find(name: StreamName, call: Call): Promise<DeliveryStream | null> {
    const query = { filter: { _id: keyOf(name) }, limit: 1 };
    const [document] = await this.#database.find<StreamDocument>('delivery_streams', query, call);
    return document === undefined ? null : fromStreamDocument(document);
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

  async replace(next: DeliveryStream, call: Call): Promise<ReplaceOutcome> {
    const { _id, ...facts } = toStreamDocument(next);
    const filter = { _id, fence: next.fence - 1 };
    const { modifiedCount } = await this.#database.writeOnce(call, (session) =>
      this.#streams.replaceOne(filter, facts, { session }),
    );
    return { kind: modifiedCount > 0 ? 'replaced' : 'stale' };
  }

  async remove(names: readonly StreamName[], call: Call): Promise<void> {
    const filter = { _id: { $in: names.map(keyOf) } };
    await this.#database.write(call, (session) => this.#streams.deleteMany(filter, { session }));
  }
}
