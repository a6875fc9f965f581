import type { Migration } from './migration.ts';

/** A number of `entitlement_history` is the version that the change has made. */
export const referencesAndHistory: Migration = {
  name: '008-references-and-history',
  sql: `
  ALTER TABLE entitlements ADD COLUMN reference TEXT;
  CREATE UNIQUE INDEX entitlements_reference ON entitlements (product_id, reference) WHERE reference IS NOT NULL;

  CREATE TABLE entitlement_history (
    entitlement_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (entitlement_id, version)
  ) STRICT, WITHOUT ROWID;
  `,
};
