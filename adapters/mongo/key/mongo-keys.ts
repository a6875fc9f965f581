import type { Collection, Document } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { AllKeys, KeyEnd, KeyPosition, Keys } from '../../../core/key/keys.port.ts';
import type { StoredKey } from '../../../core/key/stored-key.ts';
import { oneOf } from '../driver/commands.ts';
import { duplicateField } from '../driver/errors.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { ReadBatcher } from '../driver/read-batcher.ts';
import { fromKeyDocument, toKeyDocument, type KeyCollection, type KeyDocument } from './key-document.ts';
import type { LastUsedBuffer } from './last-used-buffer.ts';

export class MongoKeys<Key extends StoredKey> implements Keys<Key> {
  readonly #name: KeyCollection;
  readonly #lookups: ReadBatcher<KeyDocument<Key>>;
  readonly #lastUsed: LastUsedBuffer;

  constructor(database: MongoDatabase, name: KeyCollection, lastUsed: LastUsedBuffer) {
    this.#name = name;
    this.#lastUsed = lastUsed;
    this.#lookups = new ReadBatcher(async (digests) => {
      const query = { filter: { _id: oneOf(digests) }, limit: digests.length };
      const documents = await database.findOnce<KeyDocument<Key>>(name, query);
      return new Map(documents.map((document) => [document._id, document]));
    }, database.onBatch);
  }

  async find(digest: string, call: Call): Promise<Key | null> {
    const document = await this.#lookups.find(digest, call);
    return document === null ? null : fromKeyDocument(this.#name, document);
  }

  recordUse(id: string, at: Date): void {
    this.#lastUsed.recordUse(id, at);
  }
}

interface KeyPage {
  /** Only app keys have a product. */
  readonly productId?: string | null;
  readonly after: KeyPosition | null;
  readonly limit: number;
}

export class MongoAllKeys<Key extends StoredKey> implements AllKeys<Key> {
  readonly #database: MongoDatabase;
  readonly #name: KeyCollection;
  readonly #keys: Collection<Document & { readonly _id: string }>;

  constructor(database: MongoDatabase, name: KeyCollection) {
    this.#database = database;
    this.#name = name;
    this.#keys = database.collection(name);
  }

  async find(id: string, call: Call): Promise<Key | null> {
    const query = { filter: { id }, limit: 1 };
    const [document] = await this.#database.find<KeyDocument<Key>>(this.#name, query, call);
    return document === undefined ? null : fromKeyDocument(this.#name, document);
  }

  async page({ productId = null, after, limit }: KeyPage, call: Call): Promise<readonly Key[]> {
    const filter = { ...(productId !== null && { productId }), ...(after !== null && isAfter(after)) };
    const query = { filter, sort: { createdAt: 1, id: 1 }, limit };
    const documents = await this.#database.find<KeyDocument<Key>>(this.#name, query, call);
    return documents.map((document) => fromKeyDocument(this.#name, document));
  }

  async add(key: Key, call: Call): Promise<'added' | 'id taken'> {
    // Sent once: if the first attempt was applied, a second one would fail as a duplicate.
    return this.#database.writeOnce(call, async (session) => {
      try {
        await this.#keys.insertOne(toKeyDocument(key), { session });
        return 'added';
      } catch (error) {
        if (duplicateField(error) !== 'id') throw error;
        return 'id taken';
      }
    });
  }

  end(id: string, by: KeyEnd, call: Call): Promise<'ended' | 'unchanged'> {
    const filter = { id, revokedAt: null, ...('expiresAt' in by && endsAfter(by.expiresAt)) };
    let attempts = 0;
    return this.#database.write(call, async (session) => {
      attempts += 1;
      const { modifiedCount } = await this.#keys.updateOne(filter, { $set: by }, { session });
      if (modifiedCount === 1) return 'ended';
      // The first attempt may have been applied although its answer was lost.
      const isApplied = attempts > 1 && (await this.#keys.findOne({ id, ...by }, { session })) !== null;
      return isApplied ? 'ended' : 'unchanged';
    });
  }
}

/** The condition of a page. Its first part bounds the walk over the index, which `$or` alone would not. */
function isAfter({ createdAt, id }: KeyPosition): Document {
  return {
    createdAt: { $gte: createdAt },
    $or: [{ createdAt: { $gt: createdAt } }, { createdAt, id: { $gt: id } }],
  };
}

function endsAfter(at: Date): Document {
  return { $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }] };
}
