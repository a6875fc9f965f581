import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { Licenses } from '../../../core/entitlement/license/licenses.port.ts';
import { fromDocument, withoutRecords, type EntitlementDocument } from './entitlement-document.ts';
import { findDocuments, oneOf } from '../driver/find.ts';
import { ReadBatcher } from '../driver/read-batcher.ts';
import type { MongoStore } from '../driver/mongo-store.ts';

export class MongoLicenses implements Licenses {
  readonly #lookups: ReadBatcher<EntitlementDocument>;

  constructor({ database }: MongoStore) {
    this.#lookups = new ReadBatcher(async (digests) => {
      const documents = await findDocuments<EntitlementDocument>(database, 'entitlements', {
        filter: { 'license.digest': oneOf(digests) },
        projection: withoutRecords,
        batchSize: digests.length,
      });
      return new Map(documents.map((document) => [document.license?.digest ?? '', document]));
    });
  }

  async find(digest: string, call: Call): Promise<Entitlement | null> {
    const document = await this.#lookups.find(digest, call);
    return document === null ? null : fromDocument(document);
  }
}
