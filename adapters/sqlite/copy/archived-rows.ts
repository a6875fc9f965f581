import type { Entry, Section } from '../../../core/copy/archive.port.ts';
import { fromAppKeyRow, toAppKeyRow, type AppKeyRow } from '../access/app-key-row.ts';
import { fromEntitlementRow, toEntitlementRow, type EntitlementRow } from '../entitlement/entitlement-row.ts';
import { insertSql } from '../entitlement/replace-sql.ts';
import { fromListingRow, toListingRow, type ListingRow } from '../catalog/listing-row.ts';
import type { ProductRow } from '../product/sqlite-products.ts';
import type { SignUpRow } from '../waitlist/sqlite-waitlist.ts';
import { recordInsertion, fromRecordRow, toRecordRow, type RecordRow } from '../entitlement/record-row.ts';

/** The table of each section and the column that makes its rows one. */
export const tables: Readonly<Record<Section, { readonly name: string; readonly id: string }>> = {
  products: { name: 'products', id: 'id' },
  appKeys: { name: 'app_keys', id: 'digest' },
  entitlements: { name: 'entitlements', id: 'id' },
  listings: { name: 'listings', id: 'slug' },
  signUps: { name: 'waitlist', id: 'address' },
};

interface Insertion {
  readonly sql: string;
  readonly rows: readonly object[];
}

/** What stores an entry that is not there; `nextChange` numbers the change that a listing is. */
export function insertions({ section, id, value }: Entry, nextChange: () => number): readonly Insertion[] {
  switch (section) {
    case 'products':
      return [into('products', { id, name: value.name, created_at: value.createdAt.getTime() })];
    case 'appKeys':
      return [into('app_keys', toAppKeyRow(value))];
    case 'entitlements':
      return [
        { sql: insertSql, rows: [toEntitlementRow(value.entitlement)] },
        { sql: `INSERT ${recordInsertion}`, rows: value.records.map(toRecordRow) },
      ];
    case 'listings':
      return [into('listings', { ...toListingRow(value), change: nextChange() })];
    case 'signUps':
      return [into('waitlist', { address: id, ...value, at: value.at.getTime(), requests: 1 })];
  }
}

/** The entry that a row of a section's table holds; `recordsOf` reads the records of an entitlement. */
export function fromArchivedRows(
  section: Section,
  row: object,
  recordsOf: (id: string) => readonly RecordRow[],
): Entry {
  switch (section) {
    case 'products': {
      const { id, name, created_at: createdAt } = row as ProductRow;
      return { section, id, value: { id, name, createdAt: new Date(createdAt) } };
    }
    case 'appKeys': {
      const key = fromAppKeyRow(row as AppKeyRow);
      return { section, id: key.digest, value: key };
    }
    case 'entitlements': {
      const entitlement = fromEntitlementRow(row as EntitlementRow);
      const records = recordsOf(entitlement.id).map(fromRecordRow);
      return { section, id: entitlement.id, value: { entitlement, records } };
    }
    case 'listings': {
      const listing = fromListingRow(row as ListingRow);
      return { section, id: listing.slug, value: listing };
    }
    case 'signUps': {
      const { address, email, name, handle, role, at } = row as SignUpRow;
      return { section, id: address, value: { email, name, handle, role, at: new Date(at) } };
    }
  }
}

function into(table: string, row: object): Insertion {
  const columns = Object.keys(row);
  const values = columns.map((column) => `@${column}`);
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`;
  return { sql, rows: [row] };
}
