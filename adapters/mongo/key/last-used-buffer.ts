import type { Collection, Document } from 'mongodb';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import type { KeyCollection } from './key-document.ts';

/** Milliseconds between two flushes. */
const flushInterval = 1000;

/** Records when the keys of a collection were last used, in the background and at most once per key and flush. */
export class LastUsedBuffer {
  readonly #keys: Collection<Document & { readonly _id: string }>;
  #pending = new Map<string, Date>();
  #timer: NodeJS.Timeout | null = null;

  constructor(database: MongoDatabase, name: KeyCollection) {
    this.#keys = database.collection(name);
  }

  recordUse(id: string, at: Date): void {
    const latest = this.#pending.get(id);
    if (latest === undefined || latest < at) this.#pending.set(id, at);
    this.#timer ??= setTimeout(() => void this.flush(), flushInterval).unref();
  }

  /** Writes what is pending. A failure loses it, which is harmless: a key in use is recorded again a minute later. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const pending = this.#pending;
    this.#pending = new Map();
    if (pending.size === 0) return;
    const updates = [...pending].map(([id, lastUsedAt]) => ({
      updateOne: { filter: { id }, update: { $max: { lastUsedAt } } },
    }));
    await this.#keys.bulkWrite(updates, { ordered: false, writeConcern: { w: 1 } }).catch(() => {});
  }
}
