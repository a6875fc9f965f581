import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { Licenses } from '../../../core/entitlement/license/licenses.port.ts';
import { oneOf } from '../driver/find.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { ReadBatcher } from '../driver/read-batcher.ts';
import { fromEntitlementDocument, withoutLists, type EntitlementDocument } from './entitlement-document.ts';

export class MongoLicenses implements Licenses {
  readonly #lookups: ReadBatcher<EntitlementDocument>;

  constructor(database: MongoDatabase) {
    this.#lookups = new ReadBatcher(async (digests) => {
      const documents = await database.findOnce<EntitlementDocument>('entitlements', {
        filter: { 'license.digest': oneOf(digests) },
        projection: withoutLists,
        limit: digests.length,
      });
      return new Map(documents.map((document) => [document.license?.digest ?? '', document]));
    }, database.onBatch);
  }

  async find(digest: string, call: Call): Promise<Entitlement | null> {
    const document = await this.#lookups.find(digest, call);
    return document === null ? null : fromEntitlementDocument(document);
  }
}
