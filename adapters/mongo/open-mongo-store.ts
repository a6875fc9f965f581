import type { Call } from '../../core/call.ts';
import type { Retention } from '../../core/entitlement/idempotency/retention.ts';
import { SharedRetention } from '../../core/entitlement/idempotency/shared-retention.ts';
import type { OpenOptions, Store, StorePorts } from '../../core/store/store.port.ts';
import { MongoAffiliates } from './affiliate/mongo-affiliates.ts';
import { MongoPromotions } from './affiliate/mongo-promotions.ts';
import { MongoSales } from './affiliate/mongo-sales.ts';
import { MongoStatements } from './affiliate/mongo-statements.ts';
import { MongoLicenseSecrets } from './billing/mongo-license-secrets.ts';
import { MongoPriceMap } from './billing/mongo-price-map.ts';
import { MongoStripeCases } from './billing/mongo-stripe-cases.ts';
import { MongoBuyerLinks } from './buyer/mongo-buyer-links.ts';
import { MongoAllListings } from './catalog/mongo-all-listings.ts';
import { MongoListings } from './catalog/mongo-listings.ts';
import { MongoArchive } from './copy/mongo-archive.ts';
import type { MongoDatabase, Topology } from './driver/mongo-database.ts';
import { MongoListSizes } from './driver/mongo-list-sizes.ts';
import { MongoAllEntitlements, MongoEntitlementHistory } from './entitlement/mongo-all-entitlements.ts';
import { MongoDevices } from './entitlement/mongo-devices.ts';
import { MongoDueEntitlements } from './entitlement/mongo-due-entitlements.ts';
import { MongoEntitlements, MongoLicenses } from './entitlement/mongo-entitlements.ts';
import { MongoIdempotencyRecords, MongoRetentionPromises } from './entitlement/mongo-idempotency.ts';
import { MongoEvents } from './event/mongo-events.ts';
import { RelayLoop } from './event/relay-loop.ts';
import { LastUsedBuffer } from './key/last-used-buffer.ts';
import { MongoAllKeys, MongoKeys } from './key/mongo-keys.ts';
import { MongoClockMarks } from './maintenance/mongo-clock-marks.ts';
import { MongoMaintenance } from './maintenance/mongo-maintenance.ts';
import { openMongoDatabase } from './open-mongo-database.ts';
import { MongoOperatorSessions } from './operator-session/mongo-operator-sessions.ts';
import { MongoProducts } from './product/mongo-products.ts';
import { MongoSigningKeys } from './receipt/mongo-signing-keys.ts';
import { MongoTiers } from './tier/mongo-tiers.ts';
import { MongoTrials } from './trial/mongo-trials.ts';
import { MongoWaitlist } from './waitlist/mongo-waitlist.ts';
import { MongoDeliveryStreams } from './webhook/mongo-delivery-streams.ts';
import { MongoWebhookEndpoints } from './webhook/mongo-webhook-endpoints.ts';

const durability: Readonly<Record<Topology, string>> = {
  'replica set': 'durable on a majority of its members at every answer',
  'sharded cluster': 'durable on a majority of each shard at every answer',
  standalone: 'for development only, because it is lost with its one server',
};

/** Opens the store in the database that `url` names. Throws `UnusableStore` where `openMongoDatabase` does. */
export async function openMongoStore(url: string, options: OpenOptions, own: Retention, call: Call): Promise<Store> {
  const database = await openMongoDatabase(url, options, call);
  try {
    const store = await mongoStoreIn(database, options, own, call);
    const close = async (): Promise<void> => {
      await store.close();
      await database.close();
    };
    return { ...store, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The store in an open database, which stays open when the store is closed. */
export async function mongoStoreIn(
  database: MongoDatabase,
  options: Pick<OpenOptions, 'serves' | 'readOnly'>,
  own: Retention,
  call: Call,
): Promise<Store> {
  const retention = sharedRetention(database, own, options);
  // Before the first request: a command beside this server must see how long it keeps records.
  if (options.serves === true) await retention.current(call);
  if (options.readOnly !== true) await new MongoClockMarks(database).noticeRestore(call);
  const lastUses = lastUsesIn(database);
  const relay = new RelayLoop(database, database.onBatch);
  return {
    ports: mongoPorts(database, lastUses, retention, () => relay.noticeWrite()),
    archive: new MongoArchive(database),
    background: [relay],
    description: `mongodb: a ${database.topology}, ${durability[database.topology]}`,
    ready: (one) => database.isReady(one),
    async close() {
      await lastUses.appKeys.flush();
      await lastUses.operatorKeys.flush();
    },
  };
}

export function sharedRetention(
  database: MongoDatabase,
  own: Retention,
  { serves = false }: Pick<OpenOptions, 'serves'> = {},
): SharedRetention {
  return new SharedRetention(own, new MongoRetentionPromises(database), new MongoClockMarks(database), {
    isPromised: serves,
  });
}

export interface LastUses {
  readonly appKeys: LastUsedBuffer;
  readonly operatorKeys: LastUsedBuffer;
}

/** The buffers for the last uses of keys, which must be flushed before the database is closed. */
export function lastUsesIn(database: MongoDatabase): LastUses {
  return {
    appKeys: new LastUsedBuffer(database, 'app_keys'),
    operatorKeys: new LastUsedBuffer(database, 'operator_keys'),
  };
}

/** The ports of an open database. `onEvents` is called after each write that has stored events. */
export function mongoPorts(
  database: MongoDatabase,
  lastUses: LastUses,
  retention: SharedRetention,
  onEvents: () => void = () => {},
): StorePorts {
  const allEntitlements = new MongoAllEntitlements(database, onEvents);
  return {
    affiliates: new MongoAffiliates(database),
    allAppKeys: new MongoAllKeys(database, 'app_keys'),
    allEntitlements,
    allListings: new MongoAllListings(database),
    allOperatorKeys: new MongoAllKeys(database, 'operator_keys'),
    appKeys: new MongoKeys(database, 'app_keys', lastUses.appKeys),
    clockMarks: new MongoClockMarks(database),
    dueEntitlements: new MongoDueEntitlements(database, onEvents),
    entitlementHistory: new MongoEntitlementHistory(database),
    entitlements: new MongoEntitlements(database, retention, onEvents),
    events: new MongoEvents(database),
    devices: new MongoDevices(database, onEvents),
    deliveryStreams: new MongoDeliveryStreams(database),
    idempotencyRecords: new MongoIdempotencyRecords(database, retention),
    licenses: new MongoLicenses(database),
    licenseMoves: allEntitlements,
    licenseSecrets: new MongoLicenseSecrets(database),
    listings: new MongoListings(database),
    listSizes: new MongoListSizes(database),
    maintenance: new MongoMaintenance(database, retention),
    operatorKeys: new MongoKeys(database, 'operator_keys', lastUses.operatorKeys),
    buyerLinks: new MongoBuyerLinks(database),
    operatorSessions: new MongoOperatorSessions(database),
    priceMap: new MongoPriceMap(database),
    products: new MongoProducts(database),
    promotions: new MongoPromotions(database),
    sales: new MongoSales(database, onEvents),
    signingKeys: new MongoSigningKeys(database),
    statements: new MongoStatements(database, onEvents),
    stripeCases: new MongoStripeCases(database),
    tiers: new MongoTiers(database, onEvents),
    trials: new MongoTrials(database),
    waitlist: new MongoWaitlist(database),
    webhookEndpoints: new MongoWebhookEndpoints(database),
  };
}
