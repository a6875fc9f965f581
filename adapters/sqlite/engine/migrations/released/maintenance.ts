import type { Migration } from './migration.ts';

/**
 * Records that were made before count as promised for the default of 72 h and one hour, because the store did not keep
 * the setting of its servers.
 */
export const retentionPromises: Migration = {
  name: '004-retention-promises',
  sql: `
  CREATE TABLE retention_promises (
    milliseconds INTEGER PRIMARY KEY,
    until INTEGER NOT NULL
  ) STRICT;
  INSERT INTO retention_promises
    SELECT 73 * 3600000, latest + 1 FROM (SELECT max(at) AS latest FROM idempotency_records) WHERE latest IS NOT NULL;
  `,
};

/** At most one row. */
export const lastBackup: Migration = {
  name: '006-last-backup',
  sql: `
  CREATE TABLE last_backup (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
  ) STRICT;
  `,
};
