import type { Migration } from './migration.ts';

/**
 * `recent_history` takes the entry of a change in the row that the change writes anyway. Full chunks of it move to
 * `entitlement_history`, where `version` is the one that the last entry of the chunk has made.
 */
export const referencesAndHistory: Migration = {
  name: '008-references-and-history',
  sql: `
  ALTER TABLE entitlements ADD COLUMN reference TEXT;
  CREATE UNIQUE INDEX entitlements_reference ON entitlements (product_id, reference) WHERE reference IS NOT NULL;

  ALTER TABLE entitlements ADD COLUMN recent_history TEXT NOT NULL DEFAULT '';
  CREATE TABLE entitlement_history (
    entitlement_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    entries TEXT NOT NULL,
    PRIMARY KEY (entitlement_id, version)
  ) STRICT, WITHOUT ROWID;
  `,
};
