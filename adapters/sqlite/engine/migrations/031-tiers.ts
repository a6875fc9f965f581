import type { Migration } from './released/migration.ts';

/** What the tiers of products allow, and the features that entitlements have of their own. */
export const tiers: Migration = {
  name: '031-tiers',
  sql: `
  CREATE TABLE tiers (
    product_id TEXT NOT NULL,
    id TEXT NOT NULL,
    device_limit INTEGER,
    features TEXT,
    revision INTEGER NOT NULL,
    PRIMARY KEY (product_id, id)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE entitlements ADD COLUMN features TEXT;
  `,
};
