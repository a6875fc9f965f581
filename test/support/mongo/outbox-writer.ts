import type { Collection } from 'mongodb';
import type { MongoDatabase } from '../../../adapters/mongo/driver/mongo-database.ts';
import { toEntitlementDocument } from '../../../adapters/mongo/entitlement/entitlement-document.ts';
import { toOutbox, type BatchDocument, type OutboxEntry } from '../../../adapters/mongo/event/event-document.ts';
import { snapshotAt } from '../../../core/entitlement/snapshot.ts';
import { aSubscription, noon } from '../builders.ts';

interface Stored {
  readonly _id: string;
  readonly sequence: number;
  readonly outbox?: readonly OutboxEntry[];
}

/** An event in the log of its product. */
export interface Logged {
  readonly position: number;
  readonly id: string;
  readonly of: string;
  readonly sequence: number;
}

/** Writes events as a change does, with nothing but the event, and knows what the logs must contain in the end. */
export class OutboxWriter {
  readonly #entitlements: Collection<Stored>;
  readonly #batches: Collection<BatchDocument>;
  /** The number of events, by product and entitlement. */
  readonly #written = new Map<string, Map<string, number>>();

  constructor(database: MongoDatabase) {
    this.#entitlements = database.collection('entitlements');
    this.#batches = database.collection('events');
  }

  get products(): readonly string[] {
    return [...this.#written.keys()];
  }

  /** Adds an entitlement without events. */
  async add(id: string, productId = 'prod_1'): Promise<void> {
    await this.#entitlements.insertOne(toEntitlementDocument(aSubscription({ id, productId })));
    const own = this.#written.get(productId) ?? new Map<string, number>();
    this.#written.set(productId, own.set(id, 0));
  }

  /**
   * Writes the next event of an entitlement, or many in one write. Safe to repeat after an error: the events are written
   * once. One write of an entitlement at a time.
   */
  async write(id: string, count = 1): Promise<void> {
    const own = [...this.#written.values()].find((each) => each.has(id));
    const last = own?.get(id) ?? 0;
    const outbox = Array.from({ length: count }, (_, index) => entryOf(id, last + index + 1));
    const change = { $set: { sequence: last + count }, $push: { outbox: { $each: outbox } } };
    await this.#entitlements.updateOne({ _id: id, sequence: last }, change);
    own?.set(id, last + count);
  }

  /** The number of events that wait. */
  async waiting(): Promise<number> {
    const found = await this.#entitlements.find({ 'outbox.0': { $exists: true } }).toArray();
    return found.reduce((sum, { outbox = [] }) => sum + outbox.length, 0);
  }

  async log(productId = 'prod_1'): Promise<readonly Logged[]> {
    const batches = await this.#batches
      .find({ _id: { $regex: `^${productId} ` } })
      .sort({ _id: 1 })
      .toArray();
    return batches.flatMap(({ first, events }) =>
      events.map(({ id, of, n }, index) => ({ position: first + index, id, of, sequence: n })),
    );
  }

  /** The mistakes in the logs once everything has been moved: events that are lost, doubled or out of order. */
  async violations(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const productId of this.#written.keys()) found.push(...(await this.#violationsOf(productId)));
    return found;
  }

  async #violationsOf(productId: string): Promise<readonly string[]> {
    const log = await this.log(productId);
    const found = log.flatMap(({ position }, index) =>
      position === index + 1 ? [] : [`${productId}: position ${position} instead of ${index + 1}`],
    );
    const byEntitlement = Map.groupBy(log, ({ of }) => of);
    for (const [id, count] of this.#written.get(productId) ?? []) {
      const sequences = (byEntitlement.get(id) ?? []).map(({ sequence }) => sequence);
      const expected = Array.from({ length: count }, (_, index) => index + 1);
      if (String(sequences) !== String(expected)) found.push(`${id}: ${sequences.join()} instead of 1 to ${count}`);
    }
    return found;
  }
}

function entryOf(entitlementId: string, sequence: number): OutboxEntry {
  const event = {
    id: `evt_${entitlementId}_${sequence}`,
    type: 'entitlement.renewed',
    at: noon,
    sequence,
    by: 'command:test',
    correlationId: null,
    previous: {},
    entitlement: snapshotAt(aSubscription({ id: entitlementId }), noon),
    license: null,
    ending: null,
    device: null,
    reason: null,
  } as const;
  const [entry] = toOutbox([event], noon);
  if (entry === undefined) throw new Error('there is an entry for each event');
  return entry;
}
