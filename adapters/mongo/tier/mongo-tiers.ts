import type { Collection } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { TierEvent } from '../../../core/tier/tier-event.ts';
import { isDeclared, type DeclaredTier, type Tier } from '../../../core/tier/tier.ts';
import type { Tiers } from '../../../core/tier/tiers.port.ts';
import { insertNew, readPages } from '../driver/commands.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import {
  fromTierDocument,
  tierKey,
  toTierDocument,
  toTierOutboxEntry,
  withoutEvents,
  type TierDocument,
  type TierOutboxEntry,
} from './tier-document.ts';

type StoredTier = TierDocument & { readonly outbox?: readonly TierOutboxEntry[] };

const declared = { features: { $ne: null } };

export class MongoTiers implements Tiers {
  readonly #database: MongoDatabase;
  readonly #tiers: Collection<StoredTier>;
  readonly #onEvents: () => void;

  /** `onEvents` is called after each write that has stored events. */
  constructor(database: MongoDatabase, onEvents: () => void) {
    this.#database = database;
    this.#tiers = database.collection('tiers');
    this.#onEvents = onEvents;
  }

  async find(productId: string, id: string, call: Call): Promise<Tier | null> {
    const query = { filter: { _id: tierKey(productId, id) }, projection: withoutEvents, limit: 1 };
    const [document] = await this.#database.find<TierDocument>('tiers', query, call);
    return document === undefined ? null : fromTierDocument(document);
  }

  async page(productId: string, after: string | null, limit: number, call: Call): Promise<readonly DeclaredTier[]> {
    // After a space comes the exclamation mark.
    const filter = { _id: { $gt: tierKey(productId, after ?? ''), $lt: `${productId}!` }, ...declared };
    const query = { filter, projection: withoutEvents, sort: { _id: 1 }, limit };
    const documents = await this.#database.find<TierDocument>('tiers', query, call);
    return documents.map(fromTierDocument).filter(isDeclared);
  }

  async all(call: Call): Promise<readonly DeclaredTier[]> {
    const query = { filter: declared, projection: withoutEvents };
    const documents = readPages<TierDocument>(this.#database, 'tiers', query, () => call);
    return (await Array.fromAsync(documents, fromTierDocument)).filter(isDeclared);
  }

  async replace(next: Tier, event: TierEvent, call: Call): Promise<ReplaceOutcome> {
    const { _id, ...document } = toTierDocument(next);
    const entry = toTierOutboxEntry(event, call.now);
    const isReplaced =
      next.revision === 1
        ? await insertNew(this.#database, 'tiers', { _id, ...document, outbox: [entry] }, call)
        : await this.#update(_id, document, entry, call);
    if (isReplaced) this.#onEvents();
    return { kind: isReplaced ? 'replaced' : 'stale' };
  }

  async #update(
    _id: string,
    document: Omit<TierDocument, '_id'>,
    entry: TierOutboxEntry,
    call: Call,
  ): Promise<boolean> {
    const filter = { _id, revision: document.revision - 1 };
    const { modifiedCount } = await this.#database.writeOnce(call, (session) =>
      this.#tiers.updateOne(filter, { $set: document, $push: { outbox: entry } }, { session }),
    );
    return modifiedCount > 0;
  }
}
