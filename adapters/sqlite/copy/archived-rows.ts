/** The rows in which each section of the store is kept, for copies to and from other stores. */
import {
  fromArchivedStream,
  placeId,
  placeOf,
  toArchivedStream,
  type Entry,
  type Section,
} from '../../../core/copy/archive.port.ts';
import type { HistoryEntry } from '../../../core/entitlement/history-entry.ts';
import {
  fromLicenseSecretRow,
  licenseSecretsTable,
  toLicenseSecretRow,
  type LicenseSecretRow,
} from '../billing/sqlite-license-secrets.ts';
import { fromPriceRow, pricesTable, toPriceRow, type PriceRow } from '../billing/sqlite-price-map.ts';
import { fromListingRow, listingsTable, toListingRow, type ListingRow } from '../catalog/listing-row.ts';
import { devicesTable, fromDeviceRow, toDeviceRow, type DeviceRow } from '../device/device-row.ts';
import { insertInto, type Table } from '../engine/table.ts';
import {
  entitlementsTable,
  fromEntitlementRow,
  insertSql,
  toEntitlementRow,
  type EntitlementRow,
} from '../entitlement/entitlement-row.ts';
import { fromRecordRow, recordsTable, toRecordRow, type RecordRow } from '../entitlement/record-row.ts';
import { historyTable, storedHistory } from '../entitlement/sqlite-entitlement-history.ts';
import { eventsTable, fromEventRow, toEventRow, type EventRow } from '../event/event-row.ts';
import { appKeyTable, operatorKeyTable, type AppKeyRow, type OperatorKeyRow } from '../key/key-row.ts';
import { fromProductRow, productsTable, toProductRow, type ProductRow } from '../product/sqlite-products.ts';
import { fromKeyRingRow, signingKeysTable, toKeyRingRow, type KeyRingRow } from '../receipt/key-ring-row.ts';
import { fromSignUpRow, toSignUpRow, waitlistTable, type SignUpRow } from '../waitlist/sqlite-waitlist.ts';
import { fromStreamRow, streamsTable, toStreamRow, type StreamRow } from '../webhook/sqlite-delivery-streams.ts';
import {
  endpointsTable,
  fromEndpointRow,
  toEndpointRow,
  type EndpointRow,
} from '../webhook/sqlite-webhook-endpoints.ts';

interface SectionTable {
  readonly table: Table;
  /** The columns that identify an entry, in the order of the section. */
  readonly key: readonly string[];
}

/** The table of each section. */
export const sectionTables: Readonly<Record<Section, SectionTable>> = {
  products: { table: productsTable, key: ['id'] },
  prices: { table: pricesTable, key: ['price'] },
  appKeys: { table: appKeyTable.table, key: ['digest'] },
  operatorKeys: { table: operatorKeyTable.table, key: ['digest'] },
  entitlements: { table: entitlementsTable, key: ['id'] },
  devices: { table: devicesTable, key: ['entitlement_id', 'id'] },
  listings: { table: listingsTable, key: ['slug'] },
  signUps: { table: waitlistTable, key: ['address'] },
  events: { table: eventsTable, key: ['product_id', 'position'] },
  webhookEndpoints: { table: endpointsTable, key: ['id'] },
  deliveryStreams: { table: streamsTable, key: ['id'] },
  signingKeys: { table: signingKeysTable, key: ['id'] },
  licenseSecrets: { table: licenseSecretsTable, key: ['id'] },
};

/** The values of a section's key columns for an id. */
export function keyOf(section: Section, id: string): readonly (string | number)[] {
  // Identifiers have no space.
  if (section === 'devices') return id === '' ? ['', ''] : id.split(' ');
  if (section !== 'events') return [id];
  const { productId, position } = placeOf(id);
  return [productId, position];
}

/** An INSERT and the rows to run it with. */
interface Insertion {
  readonly sql: string;
  readonly rows: readonly object[];
}

/** Returns the INSERTs for a new entry. A listing takes its number from `nextChange`. */
export function insertionsOf({ section, id, value }: Entry, nextChange: () => number): readonly Insertion[] {
  switch (section) {
    case 'products':
      return [insertion(productsTable, [toProductRow(value)])];
    case 'prices':
      return [insertion(pricesTable, [toPriceRow(value)])];
    case 'appKeys':
      return [insertion(appKeyTable.table, [appKeyTable.toRow(value)])];
    case 'operatorKeys':
      return [insertion(operatorKeyTable.table, [operatorKeyTable.toRow(value)])];
    case 'entitlements': {
      const { recent, rows } = storedHistory(id, value.history);
      return [
        { sql: insertSql, rows: [{ ...toEntitlementRow(value.entitlement), recent_history: recent }] },
        insertion(recordsTable, value.records.map(toRecordRow)),
        insertion(historyTable, rows),
      ];
    }
    case 'devices':
      return [insertion(devicesTable, [toDeviceRow(value.entitlementId, value.device)])];
    case 'listings':
      return [insertion(listingsTable, [toListingRow(value, nextChange())])];
    case 'signUps':
      return [insertion(waitlistTable, [{ ...toSignUpRow(value), address: id }])];
    case 'events':
      return [insertion(eventsTable, [toEventRow(value)])];
    case 'webhookEndpoints':
      return [insertion(endpointsTable, [toEndpointRow(value)])];
    case 'deliveryStreams':
      return [insertion(streamsTable, [toStreamRow(fromArchivedStream(value))])];
    case 'signingKeys':
      return [insertion(signingKeysTable, [toKeyRingRow(value, id)])];
    case 'licenseSecrets':
      return [insertion(licenseSecretsTable, [toLicenseSecretRow(value, id)])];
  }
}

function insertion<Row extends object>(table: Table<Row>, rows: readonly Row[]): Insertion {
  return { sql: insertInto(table), rows };
}

/** Reads what is stored with an entitlement in other tables. */
export interface EntitlementParts {
  readonly recordsOf: (id: string) => readonly RecordRow[];
  readonly historyOf: (id: string) => readonly HistoryEntry[];
}

/** Returns the entry that a row of a section's table holds. */
export function entryOf(section: Section, row: object, { recordsOf, historyOf }: EntitlementParts): Entry {
  switch (section) {
    case 'products': {
      const product = fromProductRow(row as ProductRow);
      return { section, id: product.id, value: product };
    }
    case 'prices': {
      const value = fromPriceRow(row as PriceRow);
      return { section, id: value.price, value };
    }
    case 'appKeys': {
      const key = appKeyTable.fromRow(row as AppKeyRow);
      return { section, id: key.digest, value: key };
    }
    case 'operatorKeys': {
      const key = operatorKeyTable.fromRow(row as OperatorKeyRow);
      return { section, id: key.digest, value: key };
    }
    case 'entitlements': {
      const entitlement = fromEntitlementRow(row as EntitlementRow);
      const records = recordsOf(entitlement.id).map(fromRecordRow);
      const history = historyOf(entitlement.id);
      return { section, id: entitlement.id, value: { entitlement, records, history } };
    }
    case 'devices': {
      const { entitlement_id: entitlementId } = row as DeviceRow;
      const device = fromDeviceRow(row as DeviceRow);
      return { section, id: `${entitlementId} ${device.id}`, value: { entitlementId, device } };
    }
    case 'listings': {
      const listing = fromListingRow(row as ListingRow);
      return { section, id: listing.slug, value: listing };
    }
    case 'signUps': {
      const signUp = row as SignUpRow;
      return { section, id: signUp.address, value: fromSignUpRow(signUp) };
    }
    case 'events': {
      const value = fromEventRow(row as EventRow);
      return { section, id: placeId(value.productId, value.position), value };
    }
    case 'webhookEndpoints': {
      const value = fromEndpointRow(row as EndpointRow);
      return { section, id: value.id, value };
    }
    case 'deliveryStreams': {
      const stream = row as StreamRow;
      return { section, id: stream.id, value: toArchivedStream(fromStreamRow(stream)) };
    }
    case 'signingKeys': {
      const ring = row as KeyRingRow;
      return { section, id: ring.id, value: fromKeyRingRow(ring) };
    }
    case 'licenseSecrets': {
      const secret = row as LicenseSecretRow;
      return { section, id: secret.id, value: fromLicenseSecretRow(secret) };
    }
  }
}
