import type { Document } from 'mongodb';
import type { AllAppKeys } from '../../../core/access/all-app-keys.port.ts';
import type { AppKey } from '../../../core/access/app-key.ts';
import type { Call } from '../../../core/call.ts';
import { fromAppKeyDocument, toAppKeyDocument } from './app-key-document.ts';
import { retryRead } from '../driver/retry-read.ts';
import { within } from '../driver/deadline.ts';
import type { MongoStore } from '../driver/mongo-store.ts';
import { retryWrite } from '../driver/retry-write.ts';

export class MongoAllAppKeys implements AllAppKeys {
  readonly #store: MongoStore;

  constructor(store: MongoStore) {
    this.#store = store;
  }

  async find(id: string, call: Call): Promise<AppKey | null> {
    const document = await within(
      call,
      retryRead(() => this.#store.appKeys.findOne({ id })),
    );
    return document === null ? null : fromAppKeyDocument(document);
  }

  async list(call: Call): Promise<readonly AppKey[]> {
    const ask = (): Promise<Parameters<typeof fromAppKeyDocument>[0][]> =>
      this.#store.appKeys.find().sort({ createdAt: 1, id: 1 }).toArray();
    return (await within(call, retryRead(ask))).map(fromAppKeyDocument);
  }

  async add(key: AppKey, call: Call): Promise<void> {
    await within(call, this.#store.appKeys.insertOne(toAppKeyDocument(key)));
  }

  async end(id: string, by: { readonly revokedAt: Date } | { readonly expiresAt: Date }, call: Call): Promise<void> {
    const filter = { id, revokedAt: null, ...('expiresAt' in by && endsLater(by.expiresAt)) };
    await within(
      call,
      retryWrite(() => this.#store.appKeys.updateOne(filter, { $set: by })),
    );
  }
}

function endsLater(at: Date): Document {
  return { $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }] };
}
