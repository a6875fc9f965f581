/** The rows in which each section of the store is kept, for copies to and from other stores. */
import {
  fromArchivedStream,
  placeId,
  placeOf,
  toArchivedStream,
  withoutInvitation,
  type Archived,
  type Entry,
  type Section,
} from '../../../core/copy/archive.port.ts';
import type { HistoryEntry } from '../../../core/entitlement/history-entry.ts';
import { fromSaleRow, salesTable, toSaleRow } from '../affiliate/sale-row.ts';
import { affiliatesTable, fromAffiliateRow, toAffiliateRow } from '../affiliate/sqlite-affiliates.ts';
import { fromPromotionRow, promotionsTable, toPromotionRow } from '../affiliate/sqlite-promotions.ts';
import { closedTable, fromClosedRow, toClosedRow } from '../affiliate/statement-row.ts';
import { fromLicenseSecretRow, licenseSecretsTable, toLicenseSecretRow } from '../billing/sqlite-license-secrets.ts';
import { fromPriceRow, pricesTable, toPriceRow } from '../billing/sqlite-price-map.ts';
import { fromListingRow, listingsTable, toListingRow } from '../catalog/listing-row.ts';
import { devicesTable, fromDeviceRow, toDeviceRow } from '../device/device-row.ts';
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
import { appKeyTable, operatorKeyTable } from '../key/key-row.ts';
import { fromProductRow, productsTable, toProductRow } from '../product/sqlite-products.ts';
import { fromKeyRingRow, signingKeysTable, toKeyRingRow } from '../receipt/key-ring-row.ts';
import { fromTierRow, tiersTable, toTierRow } from '../tier/tier-row.ts';
import { fromTrialRow, toTrialRow, trialsTable } from '../trial/sqlite-trials.ts';
import { fromSignUpRow, toSignUpRow, waitlistTable } from '../waitlist/sqlite-waitlist.ts';
import { fromStreamRow, streamsTable, toStreamRow } from '../webhook/sqlite-delivery-streams.ts';
import { endpointsTable, fromEndpointRow, toEndpointRow } from '../webhook/sqlite-webhook-endpoints.ts';
import { fromWaitingRow, toWaitingRow, waitingTable } from '../webhook/waiting-row.ts';

/** The rows of a section. */
interface SectionRows<Value> {
  readonly table: Table;
  /** The columns that identify an entry, in the order of the section. */
  readonly key: readonly string[];
  /** The INSERTs for a new entry. A listing takes its number from `nextChange`. */
  readonly insertionsOf: (value: Value, id: string, nextChange: () => number) => readonly Insertion[];
  readonly idOf: (row: object) => string;
  readonly valueOf: (row: object, parts: EntitlementParts) => Value;
}

/** An INSERT and the rows to run it with. */
interface Insertion {
  readonly sql: string;
  readonly rows: readonly object[];
}

/** Reads the rows of other tables that belong to an entitlement. */
interface EntitlementParts {
  readonly recordsOf: (id: string) => readonly RecordRow[];
  readonly historyOf: (id: string) => readonly HistoryEntry[];
}

/** The rows of each section. */
export const sectionRows: { readonly [Name in Section]: SectionRows<Archived[Name]> } = {
  products: rowsOf(productsTable, ['id'], toProductRow, fromProductRow),
  tiers: rowsOf(tiersTable, ['product_id', 'id'], toTierRow, fromTierRow),
  prices: rowsOf(pricesTable, ['price'], toPriceRow, fromPriceRow),
  appKeys: rowsOf(appKeyTable.table, ['digest'], appKeyTable.toRow, appKeyTable.fromRow),
  operatorKeys: rowsOf(operatorKeyTable.table, ['digest'], operatorKeyTable.toRow, operatorKeyTable.fromRow),
  entitlements: {
    table: entitlementsTable,
    key: ['id'],
    insertionsOf: ({ entitlement, records, history }, id) => {
      const { recent, rows } = storedHistory(id, history);
      return [
        { sql: insertSql, rows: [{ ...toEntitlementRow(entitlement), recent_history: recent }] },
        insertion(recordsTable, records.map(toRecordRow)),
        insertion(historyTable, rows),
      ];
    },
    idOf: (row) => (row as EntitlementRow).id,
    valueOf: (row, { recordsOf, historyOf }) => {
      const entitlement = fromEntitlementRow(row as EntitlementRow);
      const { id } = entitlement;
      return { entitlement, records: recordsOf(id).map(fromRecordRow), history: historyOf(id) };
    },
  },
  devices: rowsOf(
    devicesTable,
    ['entitlement_id', 'id'],
    ({ entitlementId, device }) => toDeviceRow(entitlementId, device),
    (row) => ({ entitlementId: row.entitlement_id, device: fromDeviceRow(row) }),
  ),
  affiliates: rowsOf(affiliatesTable, ['handle'], toAffiliateRow, fromAffiliateRow),
  promotions: rowsOf(promotionsTable, ['handle', 'slug'], toPromotionRow, fromPromotionRow),
  sales: rowsOf(salesTable, ['entitlement_id'], toSaleRow, fromSaleRow),
  statements: rowsOf(closedTable, ['id'], toClosedRow, fromClosedRow),
  trials: rowsOf(trialsTable, ['id'], toTrialRow, fromTrialRow),
  listings: {
    ...rowsOf(listingsTable, ['slug'], (value) => toListingRow(value, 0), fromListingRow),
    insertionsOf: (value, _slug, nextChange) => [insertion(listingsTable, [toListingRow(value, nextChange())])],
  },
  signUps: rowsOf(
    waitlistTable,
    ['address'],
    (value, address) => ({ ...toSignUpRow(value), address }),
    (row) => withoutInvitation(fromSignUpRow(row)),
  ),
  events: {
    ...rowsOf(eventsTable, ['product_id', 'position'], toEventRow, fromEventRow),
    idOf: (row) => placeId((row as EventRow).product_id, (row as EventRow).position),
  },
  webhookEndpoints: rowsOf(endpointsTable, ['id'], toEndpointRow, fromEndpointRow),
  deliveryStreams: rowsOf(
    streamsTable,
    ['id'],
    (value) => toStreamRow(fromArchivedStream(value)),
    (row) => toArchivedStream(fromStreamRow(row)),
  ),
  waitingDeliveries: rowsOf(
    waitingTable,
    ['stream_id', 'subject'],
    ({ stream, subject, delivery }) => toWaitingRow(stream, subject, delivery),
    (row) => {
      const [subject, delivery] = fromWaitingRow(row);
      return { stream: row.stream_id, subject, delivery };
    },
  ),
  signingKeys: rowsOf(signingKeysTable, ['id'], toKeyRingRow, fromKeyRingRow),
  licenseSecrets: rowsOf(licenseSecretsTable, ['id'], toLicenseSecretRow, fromLicenseSecretRow),
};

/** A section with one row for each entry. */
function rowsOf<Row extends object, Value>(
  table: Table<Row>,
  key: readonly (keyof Row & string)[],
  toRow: (value: Value, id: string) => Row,
  fromRow: (row: Row) => Value,
): SectionRows<Value> {
  return {
    table,
    key,
    insertionsOf: (value, id) => [insertion(table, [toRow(value, id)])],
    idOf: (row) => key.map((column) => (row as Row)[column]).join(' '),
    valueOf: (row) => fromRow(row as Row),
  };
}

function insertion<Row extends object>(table: Table<Row>, rows: readonly Row[]): Insertion {
  return { sql: insertInto(table), rows };
}

/** The values of a section's key columns for an id. */
export function keyOf(section: Section, id: string): readonly (string | number)[] {
  if (section !== 'events') {
    // Identifiers have no space.
    return sectionRows[section].key.length === 1 ? [id] : id === '' ? ['', ''] : id.split(' ');
  }
  const { productId, position } = placeOf(id);
  return [productId, position];
}

/** Returns the entry that a row of a section's table holds. */
export function entryOf(section: Section, row: object, parts: EntitlementParts): Entry {
  const { idOf, valueOf } = sectionRows[section];
  return { section, id: idOf(row), value: valueOf(row, parts) } as Entry;
}

/** Returns the INSERTs for a new entry. */
export function insertionsOf<Name extends Section>(
  { section, id, value }: { readonly section: Name; readonly id: string; readonly value: Archived[Name] },
  nextChange: () => number,
): readonly Insertion[] {
  return sectionRows[section].insertionsOf(value, id, nextChange);
}
