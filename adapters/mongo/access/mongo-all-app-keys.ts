import type { Collection, Document } from 'mongodb';
import type { AllAppKeys } from '../../../core/access/all-app-keys.port.ts';
import type { AppKey } from '../../../core/access/app-key.ts';
import type { Call } from '../../../core/call.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { fromAppKeyDocument, toAppKeyDocument, type AppKeyDocument } from './app-key-document.ts';

export class MongoAllAppKeys implements AllAppKeys {
  readonly #database: MongoDatabase;
  readonly #appKeys: Collection<AppKeyDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#appKeys = database.collection('app_keys');
  }

  async find(id: string, call: Call): Promise<AppKey | null> {
    const query = { filter: { id }, limit: 1 };
    const [document] = await this.#database.find<AppKeyDocument>('app_keys', query, call);
    return document === undefined ? null : fromAppKeyDocument(document);
  }

  async list(call: Call): Promise<readonly AppKey[]> {
    const documents = await this.#database.read(call, (session) =>
      this.#appKeys.find({}, { session }).sort({ createdAt: 1, id: 1 }).toArray(),
    );
    return documents.map(fromAppKeyDocument);
  }

  async add(key: AppKey, call: Call): Promise<void> {
    // Sent once: if the first attempt was applied, a second one would fail as a duplicate.
    await this.#database.writeOnce(call, (session) => this.#appKeys.insertOne(toAppKeyDocument(key), { session }));
  }

  async end(id: string, by: { readonly revokedAt: Date } | { readonly expiresAt: Date }, call: Call): Promise<void> {
    const filter = { id, revokedAt: null, ...('expiresAt' in by && endsAfter(by.expiresAt)) };
    await this.#database.write(call, (session) => this.#appKeys.updateOne(filter, { $set: by }, { session }));
  }
}

function endsAfter(at: Date): Document {
  return { $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }] };
}
