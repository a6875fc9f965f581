import type { AppKey } from '../../../core/access/app-key.ts';
import type { AppKeys } from '../../../core/access/app-keys.port.ts';
import type { Call } from '../../../core/call.ts';
import { oneOf } from '../driver/find.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { ReadBatcher } from '../driver/read-batcher.ts';
import { fromAppKeyDocument, type AppKeyDocument } from './app-key-document.ts';
import type { LastUsedBuffer } from './last-used-buffer.ts';

export class MongoAppKeys implements AppKeys {
  readonly #lookups: ReadBatcher<AppKeyDocument>;
  readonly #lastUsed: LastUsedBuffer;

  constructor(database: MongoDatabase, lastUsed: LastUsedBuffer) {
    this.#lastUsed = lastUsed;
    this.#lookups = new ReadBatcher(async (digests) => {
      const query = { filter: { _id: oneOf(digests) }, limit: digests.length };
      const documents = await database.findOnce<AppKeyDocument>('app_keys', query);
      return new Map(documents.map((document) => [document._id, document]));
    });
  }

  async find(digest: string, call: Call): Promise<AppKey | null> {
    const document = await this.#lookups.find(digest, call);
    return document === null ? null : fromAppKeyDocument(document);
  }

  recordUse(id: string, at: Date): void {
    this.#lastUsed.recordUse(id, at);
  }
}
