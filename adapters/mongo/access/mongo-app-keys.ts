import type { AppKey } from '../../../core/access/app-key.ts';
import type { AppKeys } from '../../../core/access/app-keys.port.ts';
import type { Call } from '../../../core/call.ts';
import { fromAppKeyDocument, type AppKeyDocument } from './app-key-document.ts';
import { findDocuments, oneOf } from '../driver/find.ts';
import { ReadBatcher } from '../driver/read-batcher.ts';
import type { MongoStore } from '../driver/mongo-store.ts';

export class MongoAppKeys implements AppKeys {
  readonly #store: MongoStore;
  readonly #lookups: ReadBatcher<AppKeyDocument>;

  constructor(store: MongoStore) {
    this.#store = store;
    this.#lookups = new ReadBatcher(async (digests) => {
      const documents = await findDocuments<AppKeyDocument>(store.database, 'app_keys', {
        filter: { _id: oneOf(digests) },
        batchSize: digests.length,
      });
      return new Map(documents.map((document) => [document._id, document]));
    });
  }

  async find(digest: string, call: Call): Promise<AppKey | null> {
    const document = await this.#lookups.find(digest, call);
    return document === null ? null : fromAppKeyDocument(document);
  }

  recordUse(id: string, at: Date): void {
    this.#store.uses.note(id, at);
  }
}
