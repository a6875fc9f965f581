import type { Migration } from '../released/migration.ts';

/** Finds the newest entitlements, of all products and of one, and those by the end of their license keys. */
export const newestEntitlements: Migration = {
  name: '029-newest-entitlements',
  sql: `
  CREATE INDEX entitlements_created ON entitlements (created_at, id);
  CREATE INDEX entitlements_product_created ON entitlements (product_id, created_at, id);
  CREATE INDEX entitlements_last_four ON entitlements (license_last_four, id) WHERE license_last_four IS NOT NULL;
  `,
};
