import type { Migration } from '../released/migration.ts';

/** How many billing intervals a period has. In a store of an earlier schema, one. */
export const intervalCounts: Migration = {
  name: '016-interval-counts',
  sql: `
  ALTER TABLE entitlements ADD COLUMN billing_interval_count INTEGER NOT NULL DEFAULT 1;
  `,
};
