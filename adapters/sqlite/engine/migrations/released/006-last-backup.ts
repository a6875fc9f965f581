import type { Migration } from './migration.ts';

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
