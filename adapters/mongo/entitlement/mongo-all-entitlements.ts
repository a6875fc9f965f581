import type { Collection } from 'mongodb';
import type { Call, NewCall } from '../../../core/call.ts';
import type {
  AddOutcome,
  AllEntitlements,
  ChangeOutcome,
  EntitlementKeys,
} from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { Refusal } from '../../../core/refusal.ts';
import { duplicateField } from '../driver/errors.ts';
import { existingValues, readPages } from '../driver/find.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import {
  fromEntitlementDocument,
  toEntitlementDocument,
  withoutRecords,
  type EntitlementDocument,
  type StoredEntitlement,
} from './entitlement-document.ts';

/** Documents of one `insert` command: about half a megabyte. */
const insertSize = 1000;

export class MongoAllEntitlements implements AllEntitlements {
  readonly #database: MongoDatabase;
  readonly #entitlements: Collection<StoredEntitlement>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#entitlements = database.collection('entitlements');
  }

  find(id: string, call: Call): Promise<Entitlement | null> {
    return this.#findOne({ _id: id }, call);
  }

  findByLicense(digest: string, call: Call): Promise<Entitlement | null> {
    return this.#findOne({ 'license.digest': digest }, call);
  }

  async *list(productId: string | null, newCall: NewCall): AsyncIterable<Entitlement> {
    const parts = { filter: productId === null ? {} : { productId }, projection: withoutRecords };
    const documents = readPages<EntitlementDocument>(this.#database, 'entitlements', parts, newCall);
    for await (const document of documents) yield fromEntitlementDocument(document);
  }

  async add(entitlements: readonly Entitlement[], call: Call): Promise<readonly AddOutcome[]> {
    const outcomes: AddOutcome[] = [];
    for (let start = 0; start < entitlements.length; start += insertSize) {
      outcomes.push(...(await this.#insert(entitlements.slice(start, start + insertSize), call)));
    }
    return outcomes;
  }

  async findExisting(
    keys: EntitlementKeys<readonly string[]>,
    call: Call,
  ): Promise<EntitlementKeys<ReadonlySet<string>>> {
    const [ids, digests] = await Promise.all([
      existingValues(this.#database, 'entitlements', '_id', keys.ids, call),
      existingValues(this.#database, 'entitlements', 'license.digest', keys.digests, call),
    ]);
    return { ids, digests };
  }

  async change(seen: Entitlement, next: Entitlement, call: Call): Promise<ChangeOutcome> {
    const filter = { _id: seen.id, revision: seen.revision };
    // Sent once: if the first attempt was applied, a second one would find another revision and report `stale`.
    return this.#database.writeOnce(call, async (session) => {
      try {
        const { matchedCount } = await this.#entitlements.updateOne(
          filter,
          { $set: toEntitlementDocument(next) },
          { session },
        );
        return { kind: matchedCount === 0 ? 'stale' : 'changed' };
      } catch (error) {
        if (duplicateField(error) !== 'license.digest') throw error;
        return { kind: 'license taken' };
      }
    });
  }

  async #insert(entitlements: readonly Entitlement[], call: Call): Promise<readonly AddOutcome[]> {
    const command = {
      insert: 'entitlements',
      documents: entitlements.map(toEntitlementDocument),
      ordered: false,
    };
    // Sent once: if the first attempt was applied, a second one would report `id taken`.
    const reply = await this.#database.writeOnce(call, () => this.#database.writeCommand(command));
    const outcomes: AddOutcome[] = entitlements.map(() => ({ kind: 'added' }));
    for (const error of reply['writeErrors'] ?? []) outcomes[error.index] = addOutcomeOf(error);
    return outcomes;
  }

  async #findOne(filter: object, call: Call): Promise<Entitlement | null> {
    const query = { filter, projection: withoutRecords, limit: 1 };
    const [document] = await this.#database.find<EntitlementDocument>('entitlements', query, call);
    return document === undefined ? null : fromEntitlementDocument(document);
  }
}

function addOutcomeOf(error: { readonly code: number }): AddOutcome {
  const field = duplicateField(error);
  if (field === null) throw new Refusal('store_unavailable', { cause: `MongoServerError ${error.code}` });
  return { kind: field === '_id' ? 'id taken' : 'license taken' };
}
