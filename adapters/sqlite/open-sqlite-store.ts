import type { Call } from '../../core/call.ts';
import type { Retention } from '../../core/entitlement/idempotency/retention.ts';
import { SharedRetention } from '../../core/entitlement/idempotency/shared-retention.ts';
import type { OpenOptions, Store, StorePorts } from '../../core/store/store.port.ts';
import { SqliteAffiliates } from './affiliate/sqlite-affiliates.ts';
import { SqlitePromotions } from './affiliate/sqlite-promotions.ts';
import { SqliteSales } from './affiliate/sqlite-sales.ts';
import { SqliteStatements } from './affiliate/sqlite-statements.ts';
import { SqliteLicenseSecrets } from './billing/sqlite-license-secrets.ts';
import { SqlitePriceMap } from './billing/sqlite-price-map.ts';
import { SqliteStripeCases } from './billing/sqlite-stripe-cases.ts';
import { SqliteBuyerLinks } from './buyer/sqlite-buyer-links.ts';
import { SqliteAllListings } from './catalog/sqlite-all-listings.ts';
import { SqliteListings } from './catalog/sqlite-listings.ts';
import { SqliteArchive } from './copy/sqlite-archive.ts';
import { SqliteDevices } from './device/sqlite-devices.ts';
import { openConnection } from './engine/connection.ts';
import { asDamage } from './engine/errors.ts';
import { SqliteDatabase } from './engine/sqlite-database.ts';
import { SqliteListSizes } from './engine/sqlite-list-sizes.ts';
import { SqliteAllEntitlements } from './entitlement/sqlite-all-entitlements.ts';
import { SqliteDueEntitlements } from './entitlement/sqlite-due-entitlements.ts';
import { SqliteEntitlementHistory } from './entitlement/sqlite-entitlement-history.ts';
import { SqliteEntitlements, SqliteLicenses } from './entitlement/sqlite-entitlements.ts';
import { SqliteIdempotencyRecords, SqliteRetentionPromises } from './entitlement/sqlite-idempotency.ts';
import { EventLog } from './event/event-log.ts';
import { SqliteEvents } from './event/sqlite-events.ts';
import { appKeyTable, operatorKeyTable } from './key/key-row.ts';
import { LastUsedBuffer } from './key/last-used-buffer.ts';
import { SqliteAllKeys, SqliteKeys } from './key/sqlite-keys.ts';
import { SqliteClockMarks } from './maintenance/sqlite-clock-marks.ts';
import { SqliteMaintenance } from './maintenance/sqlite-maintenance.ts';
import { SqliteOperatorSessions } from './operator-session/sqlite-operator-sessions.ts';
import { SqliteProducts } from './product/sqlite-products.ts';
import { SqliteSigningKeys } from './receipt/sqlite-signing-keys.ts';
import { SqliteTiers } from './tier/sqlite-tiers.ts';
import { SqliteTrials } from './trial/sqlite-trials.ts';
import { SqliteWaitlist } from './waitlist/sqlite-waitlist.ts';
import { SqliteDeliveryStreams } from './webhook/sqlite-delivery-streams.ts';
import { SqliteWebhookEndpoints } from './webhook/sqlite-webhook-endpoints.ts';

/** Opens the store file at `path`. Throws `UnusableStore` as `openConnection` does. */
export async function openSqliteStore(path: string, options: OpenOptions, own: Retention, call: Call): Promise<Store> {
  const database = new SqliteDatabase(await openConnection(path, options, call), undefined, options.onBatch);
  try {
    const retention = sharedRetention(database, own, options);
    // Before the first request: a command beside this server must see how long it keeps records.
    if (options.serves === true) await retention.current(call);
    return sqliteStore(database, retention);
  } catch (error) {
    database.connection.close();
    throw asDamage(error, database.connection.name);
  }
}

export function sharedRetention(
  database: SqliteDatabase,
  own: Retention,
  { serves = false }: Pick<OpenOptions, 'serves'> = {},
): SharedRetention {
  return new SharedRetention(own, new SqliteRetentionPromises(database), new SqliteClockMarks(database), {
    isPromised: serves,
  });
}

/** Makes the store of an open file. */
export function sqliteStore(database: SqliteDatabase, retention: SharedRetention): Store {
  const { connection } = database;
  const lastUsed: LastUses = {
    appKeys: new LastUsedBuffer(database, appKeyTable.table),
    operatorKeys: new LastUsedBuffer(database, operatorKeyTable.table),
  };
  return {
    ports: portsOf(database, lastUsed, retention),
    archive: new SqliteArchive(database),
    background: [],
    description: `sqlite: ${connection.name}, durable at every answer`,
    ready: (call) => database.isReady(call),
    close: async () => {
      await lastUsed.appKeys.flush();
      await lastUsed.operatorKeys.flush();
      connection.close();
    },
  };
}

interface LastUses {
  readonly appKeys: LastUsedBuffer;
  readonly operatorKeys: LastUsedBuffer;
}

function portsOf(database: SqliteDatabase, lastUsed: LastUses, retention: SharedRetention): StorePorts {
  const log = new EventLog(database);
  const allEntitlements = new SqliteAllEntitlements(database, log);
  return {
    affiliates: new SqliteAffiliates(database),
    allAppKeys: new SqliteAllKeys(database, appKeyTable),
    allEntitlements,
    allListings: new SqliteAllListings(database),
    allOperatorKeys: new SqliteAllKeys(database, operatorKeyTable),
    appKeys: new SqliteKeys(database, appKeyTable, lastUsed.appKeys),
    clockMarks: new SqliteClockMarks(database),
    dueEntitlements: new SqliteDueEntitlements(database, log),
    entitlementHistory: new SqliteEntitlementHistory(database),
    entitlements: new SqliteEntitlements(database, retention, log),
    devices: new SqliteDevices(database, log),
    deliveryStreams: new SqliteDeliveryStreams(database),
    events: new SqliteEvents(database),
    idempotencyRecords: new SqliteIdempotencyRecords(database, retention),
    licenses: new SqliteLicenses(database),
    licenseMoves: allEntitlements,
    licenseSecrets: new SqliteLicenseSecrets(database),
    listings: new SqliteListings(database),
    listSizes: new SqliteListSizes(database),
    maintenance: new SqliteMaintenance(database, retention),
    operatorKeys: new SqliteKeys(database, operatorKeyTable, lastUsed.operatorKeys),
    buyerLinks: new SqliteBuyerLinks(database),
    operatorSessions: new SqliteOperatorSessions(database),
    priceMap: new SqlitePriceMap(database),
    products: new SqliteProducts(database),
    promotions: new SqlitePromotions(database),
    sales: new SqliteSales(database, log),
    signingKeys: new SqliteSigningKeys(database),
    statements: new SqliteStatements(database, log),
    stripeCases: new SqliteStripeCases(database),
    tiers: new SqliteTiers(database, log),
    trials: new SqliteTrials(database),
    waitlist: new SqliteWaitlist(database),
    webhookEndpoints: new SqliteWebhookEndpoints(database),
  };
}
