import type { Collection } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import {
  referenceKey,
  type Addition,
  type AddOutcome,
  type AllEntitlements,
  type EntitlementHistory,
  type EntitlementKeys,
  type EntitlementPart,
  type LicenseTaken,
  type NewestPart,
} from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { ChangeRecord } from '../../../core/entitlement/event/change-record.ts';
import type { HistoryEntry } from '../../../core/entitlement/history-entry.ts';
import type { LicenseMoves, Replacement } from '../../../core/entitlement/license/license-moves.port.ts';
import { Refusal } from '../../../core/refusal.ts';
import { existingValues, oneOf } from '../driver/commands.ts';
import { duplicateField } from '../driver/errors.ts';
import type { MongoDatabase, Query } from '../driver/mongo-database.ts';
import { outboxWith, toOutbox } from '../event/event-document.ts';
import {
  fromEntitlementDocument,
  fromHistoryDocuments,
  toEntitlementDocument,
  toHistoryDocument,
  withoutLists,
  type EntitlementDocument,
  type StoredEntitlement,
} from './entitlement-document.ts';
import { historyWith } from './replace-statement.ts';

/** Documents of one `insert` command: about half a megabyte. */
const insertSize = 1000;

export class MongoAllEntitlements implements AllEntitlements, LicenseMoves {
  readonly #database: MongoDatabase;
  readonly #entitlements: Collection<StoredEntitlement>;
  readonly #onEvents: () => void;

  /** `onEvents` is called after a write that has stored events. */
  constructor(database: MongoDatabase, onEvents: () => void) {
    this.#onEvents = onEvents;
    this.#database = database;
    this.#entitlements = database.collection('entitlements');
  }

  find(id: string, call: Call): Promise<Entitlement | null> {
    return this.#findOne({ _id: id }, call);
  }

  findByLicense(digest: string, call: Call): Promise<Entitlement | null> {
    return this.#findOne({ 'license.digest': digest }, call);
  }

  async page(part: EntitlementPart | NewestPart, call: Call): Promise<readonly Entitlement[]> {
    const query = { ...partQuery(part), projection: withoutLists };
    const documents = await this.#database.find<EntitlementDocument>('entitlements', query, call);
    return documents.map(fromEntitlementDocument);
  }

  async add(additions: readonly Addition[], call: Call): Promise<readonly AddOutcome[]> {
    const outcomes: AddOutcome[] = [];
    for (let start = 0; start < additions.length; start += insertSize) {
      outcomes.push(...(await this.#insert(additions.slice(start, start + insertSize), call)));
    }
    return outcomes;
  }

  async findExisting(
    keys: EntitlementKeys<readonly string[]>,
    call: Call,
  ): Promise<EntitlementKeys<ReadonlySet<string>>> {
    const [ids, digests, references] = await Promise.all([
      existingValues(this.#database, 'entitlements', '_id', keys.ids, call),
      existingValues(this.#database, 'entitlements', 'license.digest', keys.digests, call),
      existingReferences(this.#database, keys.references, call),
    ]);
    return { ids, digests, references };
  }

  async replace(
    seen: Entitlement,
    next: Entitlement,
    changeRecord: ChangeRecord,
    call: Call,
  ): Promise<ReplaceOutcome<LicenseTaken>> {
    const filter = { _id: seen.id, revision: seen.revision };
    const lists = { history: historyWith(changeRecord.entry), outbox: outboxWith(changeRecord.events, call.now) };
    const document = { $literal: toEntitlementDocument(next) };
    const update = [{ $replaceWith: { $mergeObjects: ['$$ROOT', document, lists] } }];
    // Sent once: if the first attempt was applied, a second one would find another revision and report `stale`.
    return this.#database.writeOnce(call, async (session) => {
      try {
        const { matchedCount } = await this.#entitlements.updateOne(filter, update, { session });
        if (matchedCount > 0) this.#onEvents();
        return { kind: matchedCount === 0 ? 'stale' : 'replaced' };
      } catch (error) {
        if (duplicateField(error) !== 'license.digest') throw error;
        return { kind: 'license taken' };
      }
    });
  }

  /** Two writes, the one that frees the digest first, because a standalone server has no transactions. */
  async move(from: Replacement, to: Replacement | Addition, call: Call): ReturnType<LicenseMoves['move']> {
    const freed = await this.replace(from.seen, from.next, from.changeRecord, call);
    if (freed.kind !== 'replaced') return freed;
    if ('seen' in to) return this.replace(to.seen, to.next, to.changeRecord, call);
    const [outcome = { kind: 'added' } as const] = await this.add([to], call);
    return outcome.kind === 'added' ? { kind: 'replaced' } : outcome;
  }

  async #insert(additions: readonly Addition[], call: Call): Promise<readonly AddOutcome[]> {
    const command = {
      insert: 'entitlements',
      documents: additions.map(({ entitlement, changeRecord }) => ({
        ...toEntitlementDocument(entitlement),
        history: [toHistoryDocument(changeRecord.entry)],
        ...(changeRecord.events.length > 0 && { outbox: toOutbox(changeRecord.events, call.now) }),
      })),
      ordered: false,
    };
    // Sent once: if the first attempt was applied, a second one would report `id taken`.
    const reply = await this.#database.writeOnce(call, () => this.#database.writeCommand(command));
    this.#onEvents();
    const outcomes: AddOutcome[] = additions.map(() => ({ kind: 'added' }));
    for (const error of reply['writeErrors'] ?? []) outcomes[error.index] = addOutcomeOf(error);
    return outcomes;
  }

  async #findOne(filter: object, call: Call): Promise<Entitlement | null> {
    const query = { filter, projection: withoutLists, limit: 1 };
    const [document] = await this.#database.find<EntitlementDocument>('entitlements', query, call);
    return document === undefined ? null : fromEntitlementDocument(document);
  }
}

/** Finds a part of the list of entitlements by an index. */
export function partQuery(part: EntitlementPart | NewestPart): Omit<Query, 'projection'> {
  const { productId, lastFour = null, limit } = part;
  const conditions = {
    ...(productId !== null && { productId }),
    ...(lastFour !== null && { 'license.lastFour': { $in: lastFour } }),
  };
  if (!('order' in part)) {
    const { reference, after } = part;
    const filter = { ...conditions, ...(reference !== null && { reference }), _id: { $gt: after ?? '' } };
    return { filter, sort: { _id: 1 }, limit };
  }
  const sort = { createdAt: -1, _id: -1 };
  if (part.after === null) return { filter: conditions, sort, limit };
  const { createdAt, id } = part.after;
  // Two ranges of one index, so that entitlements of the same instant are not read again for each part.
  const ranges = [{ createdAt, _id: { $lt: id } }, { createdAt: { $lt: createdAt } }];
  return { filter: { $or: ranges.map((range) => ({ ...conditions, ...range })) }, sort, limit };
}

function addOutcomeOf(error: { readonly code: number }): AddOutcome {
  const field = duplicateField(error);
  if (field === null) throw new Refusal('store_unavailable', { cause: `MongoServerError ${error.code}` });
  if (field === 'reference') return { kind: 'reference taken' };
  return { kind: field === '_id' ? 'id taken' : 'license taken' };
}

/** References of one query: at most 200 KB. */
const maxBatch = 1000;

interface Found {
  readonly productId: string;
  readonly reference: string;
}

/** Returns those of the references that entitlements have, each with its product as `referenceKey` writes them. */
async function existingReferences(
  database: MongoDatabase,
  references: readonly string[],
  call: Call,
): Promise<ReadonlySet<string>> {
  const existing = new Set<string>();
  for (const [productId, own] of Map.groupBy(references, (key) => key.slice(0, key.indexOf('/')))) {
    for (let start = 0; start < own.length; start += maxBatch) {
      const batch = own.slice(start, start + maxBatch).map((key) => key.slice(key.indexOf('/') + 1));
      const filter = { productId, reference: oneOf(batch) };
      const query = { filter, projection: { _id: 0, productId: 1, reference: 1 }, limit: batch.length };
      const found = await database.find<Found>('entitlements', query, call);
      for (const { reference } of found) existing.add(referenceKey(productId, reference));
    }
  }
  return existing;
}

export class MongoEntitlementHistory implements EntitlementHistory {
  readonly #database: MongoDatabase;

  constructor(database: MongoDatabase) {
    this.#database = database;
  }

  async list(entitlementId: string, call: Call): Promise<readonly HistoryEntry[]> {
    const query = { filter: { _id: entitlementId }, projection: { history: 1 }, limit: 1 };
    const [document] = await this.#database.find<Pick<StoredEntitlement, 'history'>>('entitlements', query, call);
    return fromHistoryDocuments(document?.history);
  }
}
