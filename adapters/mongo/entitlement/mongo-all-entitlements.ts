import type { Call, NewCall } from '../../../core/call.ts';
import type {
  AddOutcome,
  AllEntitlements,
  ChangeOutcome,
  EntitlementKeys,
} from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { Refusal } from '../../../core/refusal.ts';
import { within } from '../driver/deadline.ts';
import { fromDocument, toDocument, withoutRecords, type EntitlementDocument } from './entitlement-document.ts';
import { duplicateField } from '../driver/errors.ts';
import { findInTime, readPages } from '../driver/find.ts';
import type { MongoStore } from '../driver/mongo-store.ts';
import { presentValues } from '../driver/present-values.ts';

/** Documents of one `insert`: about half a megabyte. */
const insertSize = 1000;

export class MongoAllEntitlements implements AllEntitlements {
  readonly #store: MongoStore;

  constructor(store: MongoStore) {
    this.#store = store;
  }

  find(id: string, call: Call): Promise<Entitlement | null> {
    return this.#one({ _id: id }, call);
  }

  findByLicense(digest: string, call: Call): Promise<Entitlement | null> {
    return this.#one({ 'license.digest': digest }, call);
  }

  async *list(productId: string | null, newCall: NewCall): AsyncIterable<Entitlement> {
    const parts = { filter: productId === null ? {} : { productId }, projection: withoutRecords };
    const documents = readPages<EntitlementDocument>(this.#store.database, 'entitlements', parts, newCall);
    for await (const document of documents) yield fromDocument(document);
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
      presentValues(this.#store, 'entitlements', '_id', keys.ids, call),
      presentValues(this.#store, 'entitlements', 'license.digest', keys.digests, call),
    ]);
    return { ids, digests };
  }

  async change(seen: Entitlement, next: Entitlement, call: Call): Promise<ChangeOutcome> {
    const update = this.#store.entitlements
      .updateOne({ _id: seen.id, revision: seen.revision }, { $set: toDocument(next) })
      .then(
        ({ matchedCount }): ChangeOutcome => ({ kind: matchedCount === 0 ? 'stale' : 'changed' }),
        (error: unknown): ChangeOutcome => {
          if (duplicateField(error) !== 'license.digest') throw error;
          return { kind: 'license taken' };
        },
      );
    return within(call, update);
  }

  async #insert(entitlements: readonly Entitlement[], call: Call): Promise<readonly AddOutcome[]> {
    const reply = await within(
      call,
      this.#store.database.command({
        insert: 'entitlements',
        documents: entitlements.map(toDocument),
        ordered: false,
        writeConcern: { w: 'majority', j: true },
      }),
    );
    const outcomes: AddOutcome[] = entitlements.map(() => ({ kind: 'added' }));
    for (const error of reply['writeErrors'] ?? []) outcomes[error.index] = addOutcomeOf(error);
    return outcomes;
  }

  async #one(filter: object, call: Call): Promise<Entitlement | null> {
    const parts = { filter, projection: withoutRecords, batchSize: 1 };
    const [document] = await findInTime<EntitlementDocument>(this.#store.database, 'entitlements', parts, call);
    return document === undefined ? null : fromDocument(document);
  }
}

function addOutcomeOf(error: { readonly code: number }): AddOutcome {
  const field = duplicateField(error);
  if (field === null) throw new Refusal('store_unavailable', { cause: `MongoServerError ${error.code}` });
  return { kind: field === '_id' ? 'id taken' : 'license taken' };
}
