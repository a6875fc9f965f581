import { MongoBulkWriteError, ObjectId, type ClientSession, type Collection, type Document } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { Archive, Entry, Section } from '../../../core/copy/archive.port.ts';
import { carryOutUnapplied } from '../affiliate/carry-out-lines.ts';
import { catalogHistoryOf } from '../catalog/catalog-history.ts';
import { withoutMoves } from '../device/device-document.ts';
import { carryOutWaiting } from '../device/device-mover.ts';
import { beforeDeadline } from '../driver/deadline.ts';
import { duplicateField } from '../driver/errors.ts';
import type { CollectionName, MongoDatabase } from '../driver/mongo-database.ts';
import { MongoRetentionPromises } from '../entitlement/mongo-idempotency.ts';
import { withoutOutbox } from '../event/event-document.ts';
import { EventRelay } from '../event/event-relay.ts';
import { WaitingMoves } from '../webhook/waiting-moves.ts';
import { fromArchived, toArchived } from './archived-document.ts';
import { ArchivedEvents } from './archived-events.ts';

const collections: Readonly<Record<Section, CollectionName>> = {
  products: 'products',
  tiers: 'tiers',
  prices: 'prices',
  appKeys: 'app_keys',
  operatorKeys: 'operator_keys',
  entitlements: 'entitlements',
  devices: 'devices',
  affiliates: 'affiliates',
  promotions: 'promotions',
  sales: 'sales',
  statements: 'statements',
  trials: 'trials',
  listings: 'listings',
  signUps: 'waitlist',
  events: 'events',
  webhookEndpoints: 'webhook_endpoints',
  deliveryStreams: 'delivery_streams',
  waitingDeliveries: 'waiting_deliveries',
  signingKeys: 'signing_keys',
  licenseSecrets: 'license_secrets',
};

/** Documents of one page. The server returns fewer if they exceed the 16 MB of a reply, as many records do. */
const pageSize = 200;

/** Its writes are not retried: a copy that fails is resumed by the administrator, and then finds what was written. */
export class MongoArchive implements Archive {
  readonly retentionPromises: MongoRetentionPromises;
  readonly #database: MongoDatabase;
  readonly #relay: EventRelay;
  readonly #events: ArchivedEvents;

  constructor(database: MongoDatabase) {
    this.#relay = new EventRelay(database, database.onBatch);
    this.#events = new ArchivedEvents(database);
    this.#database = database;
    this.retentionPromises = new MongoRetentionPromises(database);
  }

  async moveEvents(call: Call): Promise<boolean> {
    const moved = await beforeDeadline(call, this.#relay.moveEvents());
    await new WaitingMoves(this.#database).settleAll(call);
    const areLinesDone = await carryOutUnapplied(this.#database, call);
    return (await beforeDeadline(call, carryOutWaiting(this.#database))) && areLinesDone && moved === 0;
  }

  count(section: Section, call: Call): Promise<number> {
    if (section === 'events') return this.#events.count(call);
    return this.#database.read(call, (session) =>
      this.#collection(section).countDocuments(filterOf(section), { session }),
    );
  }

  async page(section: Section, after: string, call: Call): Promise<readonly Entry[]> {
    if (section === 'events') return this.#events.page(after, call);
    const filter = { ...filterOf(section), _id: { $gt: after } };
    const query = { filter, projection: { ...withoutMoves, ...withoutOutbox }, sort: { _id: 1 }, limit: pageSize };
    const documents = await this.#database.find<Document>(collections[section], query, call);
    return documents.map((document) => fromArchived(section, document));
  }

  async insert(entries: readonly Entry[], call: Call): Promise<boolean> {
    const [first] = entries;
    if (first === undefined) return true;
    const { section } = first;
    const ids = entries.map(({ id }) => id);
    if (section === 'events' && (await this.#events.hasOneOf(ids, call))) return false;
    const documents = entries.map((entry) => toArchived(entry, () => new ObjectId()));
    return this.#write(section, call, async (session) => {
      try {
        // The driver splits the documents into as many commands as their size requires.
        await this.#collection(section).insertMany(documents, { ordered: false, session });
        return true;
      } catch (error) {
        if (!isDuplicatesOnly(error)) throw error;
        return false;
      }
    });
  }

  async remove(section: Section, ids: readonly string[], call: Call): Promise<void> {
    if (section === 'events') await this.#events.split(ids, call);
    await this.#write(section, call, (session) =>
      this.#collection(section).deleteMany({ _id: { $in: ids } }, { session }),
    );
  }

  async #write<T>(section: Section, call: Call, send: (session: ClientSession) => Promise<T>): Promise<T> {
    const result = await this.#database.writeOnce(call, send);
    if (section === 'listings') await catalogHistoryOf(this.#database).recordWrite(call);
    return result;
  }

  #collection(section: Section): Collection<{ readonly _id: string }> {
    return this.#database.collection(collections[section]);
  }
}

/** A device that has lost its seat stays for a day, and does not count. */
function filterOf(section: Section): Document {
  return section === 'devices' ? { gone: null } : {};
}

function isDuplicatesOnly(error: unknown): boolean {
  const errors = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  return errors.length > 0 && errors.every((one) => duplicateField(one) !== null);
}
