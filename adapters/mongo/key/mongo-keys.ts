import type { Call } from '../../../core/call.ts';
import type { Keys } from '../../../core/key/keys.port.ts';
import type { StoredKey } from '../../../core/key/stored-key.ts';
import { oneOf } from '../driver/find.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { ReadBatcher } from '../driver/read-batcher.ts';
import { fromKeyDocument, type KeyCollection, type KeyDocument } from './key-document.ts';
import type { LastUsedBuffer } from './last-used-buffer.ts';

export class MongoKeys<Key extends StoredKey> implements Keys<Key> {
  readonly #lookups: ReadBatcher<KeyDocument<Key>>;
  readonly #lastUsed: LastUsedBuffer;

  constructor(database: MongoDatabase, name: KeyCollection, lastUsed: LastUsedBuffer) {
    this.#lastUsed = lastUsed;
    this.#lookups = new ReadBatcher(async (digests) => {
      const query = { filter: { _id: oneOf(digests) }, limit: digests.length };
      const documents = await database.findOnce<KeyDocument<Key>>(name, query);
      return new Map(documents.map((document) => [document._id, document]));
    }, database.onBatch);
  }

  async find(digest: string, call: Call): Promise<Key | null> {
    const document = await this.#lookups.find(digest, call);
    return document === null ? null : fromKeyDocument(document);
  }

  recordUse(id: string, at: Date): void {
    this.#lastUsed.recordUse(id, at);
  }
}
