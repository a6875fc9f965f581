import { MongoBulkWriteError, ObjectId, type Collection, type Document } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { Archive, Entry, Section } from '../../../core/copy/archive.port.ts';
import { retryRead } from '../driver/retry-read.ts';
import { fromArchived, toArchived } from './archived-document.ts';
import { within } from '../driver/deadline.ts';
import { catalogHistoryOf } from '../catalog/catalog-history.ts';
import { duplicateField } from '../driver/errors.ts';
import { findInTime } from '../driver/find.ts';
import type { MongoStore } from '../driver/mongo-store.ts';

const collections: Readonly<Record<Section, string>> = {
  products: 'products',
  appKeys: 'app_keys',
  entitlements: 'entitlements',
  listings: 'listings',
  signUps: 'waitlist',
};

/** Documents read at a time, or the fewer that make up the 16 MB of a reply where they have many records. */
const pageSize = 200;

export class MongoArchive implements Archive {
  readonly #store: MongoStore;

  constructor(store: MongoStore) {
    this.#store = store;
  }

  count(section: Section, call: Call): Promise<number> {
    return within(
      call,
      retryRead(() => this.#collection(section).countDocuments()),
    );
  }

  async page(section: Section, after: string, call: Call): Promise<readonly Entry[]> {
    const parts = { filter: { _id: { $gt: after } }, sort: { _id: 1 }, batchSize: pageSize };
    const documents = await findInTime<Document>(this.#store.database, collections[section], parts, call);
    return documents.map((document) => fromArchived(section, document));
  }

  async insert(entries: readonly Entry[], call: Call): Promise<boolean> {
    const [first] = entries;
    if (first === undefined) return true;
    const { section } = first;
    const documents = entries.map((entry) => toArchived(entry, () => new ObjectId()));
    // The driver makes as many commands of them as their size asks for.
    const inserted = this.#collection(section).insertMany(documents, { ordered: false });
    const outcome = inserted.then(() => true, falseWhereTaken);
    return this.#written(section, outcome, call);
  }

  async remove(section: Section, ids: readonly string[], call: Call): Promise<void> {
    await this.#written(section, this.#collection(section).deleteMany({ _id: { $in: ids } }), call);
  }

  async #written<T>(section: Section, write: Promise<T>, call: Call): Promise<T> {
    const outcome = await within(call, write);
    if (section === 'listings') await catalogHistoryOf(this.#store).wrote(call);
    return outcome;
  }

  #collection(section: Section): Collection<{ readonly _id: string }> {
    return this.#store.database.collection(collections[section]);
  }
}

function falseWhereTaken(error: unknown): false {
  const errors = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  if (errors.length > 0 && errors.every((one) => duplicateField(one) !== null)) return false;
  throw error;
}
