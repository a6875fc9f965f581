import type { Migration } from '../released/migration.ts';

/** When the access of a purchase ends, and until when there are updates. NULL for never. */
export const endsOfPurchases: Migration = {
  name: '024-ends-of-purchases',
  sql: `
  ALTER TABLE entitlements ADD COLUMN access_ends_at INTEGER;
  ALTER TABLE entitlements ADD COLUMN updates_until INTEGER;
  ALTER TABLE idempotency_records ADD COLUMN updates_until INTEGER;
  `,
};
