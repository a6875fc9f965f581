import { ObjectId, type Document } from 'mongodb';
import type { Call } from '../../core/call.ts';
import type { Archive, Entry, Section } from '../../core/copy/archive.port.ts';
import { Refusal } from '../../core/refusal.ts';
import { askTwice } from './ask-twice.ts';
import { fromArchived, toArchived } from './archived-document.ts';
import { within } from './caller.ts';
import { catalogHistoryOf } from './catalog-history.ts';
import { duplicateField } from './failures.ts';
import { findDocuments } from './find-command.ts';
import type { MongoStore } from './mongo-store.ts';

const collections: Readonly<Record<Section, string>> = {
  products: 'products',
  appKeys: 'app_keys',
  entitlements: 'entitlements',
  listings: 'listings',
  signUps: 'waitlist',
};

/** Documents read at a time: at most 50 MB where each has as many records as it may. */
const pageSize = 200;

export class MongoArchive implements Archive {
  readonly #store: MongoStore;

  constructor(store: MongoStore) {
    this.#store = store;
  }

  count(section: Section, call: Call): Promise<number> {
    return within(
      call,
      askTwice(() => this.#store.database.collection(collections[section]).countDocuments()),
    );
  }

  async page(section: Section, after: string, call: Call): Promise<readonly Entry[]> {
    const parts = { filter: { _id: { $gt: after } }, sort: { _id: 1 }, batchSize: pageSize };
    const documents = await within(
      call,
      askTwice(() => findDocuments<Document>(this.#store.database, collections[section], parts)),
    );
    return documents.map((document) => fromArchived(section, document));
  }

  async insert(section: Section, entries: readonly Entry[], call: Call): Promise<boolean> {
    const { writeErrors = [] } = await this.#write(section, call, {
      insert: collections[section],
      documents: entries.map((entry) => toArchived(entry, () => new ObjectId())),
    });
    for (const error of writeErrors) {
      if (duplicateField(error) === null) {
        throw new Refusal('store_unavailable', { cause: `MongoServerError ${error.code}` });
      }
    }
    return writeErrors.length === 0;
  }

  async remove(section: Section, ids: readonly string[], call: Call): Promise<void> {
    await this.#write(section, call, {
      delete: collections[section],
      deletes: [{ q: { _id: { $in: ids } }, limit: 0 }],
    });
  }

  async #write(section: Section, call: Call, command: Document): Promise<Document> {
    const durable = { ...command, ordered: false, writeConcern: { w: 'majority', j: true } };
    const reply = await within(call, this.#store.database.command(durable));
    if (section === 'listings') await catalogHistoryOf(this.#store).wrote(call);
    return reply;
  }
}
