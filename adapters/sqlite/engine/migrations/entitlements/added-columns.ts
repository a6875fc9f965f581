import type { Migration } from '../released/migration.ts';

/** How many billing intervals a period has. In a store of an earlier schema, one. */
export const intervalCounts: Migration = {
  name: '016-interval-counts',
  sql: `
  ALTER TABLE entitlements ADD COLUMN billing_interval_count INTEGER NOT NULL DEFAULT 1;
  `,
};

/** Why access is suspended, separated by commas. NULL if the operator is the only cause, as in every earlier schema. */
export const suspensionCauses: Migration = {
  name: '017-suspension-causes',
  sql: `
  ALTER TABLE entitlements ADD COLUMN suspension_causes TEXT;
  `,
};

/** Until when access lasts although a payment is missing. NULL where nothing is owed, as in every earlier schema. */
export const unpaidUntil: Migration = {
  name: '023-unpaid-until',
  sql: `
  ALTER TABLE entitlements ADD COLUMN unpaid_until INTEGER;
  `,
};

/** When the access of a purchase ends, and until when there are updates. NULL for never. */
export const endsOfPurchases: Migration = {
  name: '024-ends-of-purchases',
  sql: `
  ALTER TABLE entitlements ADD COLUMN access_ends_at INTEGER;
  ALTER TABLE entitlements ADD COLUMN updates_until INTEGER;
  ALTER TABLE idempotency_records ADD COLUMN updates_until INTEGER;
  `,
};
