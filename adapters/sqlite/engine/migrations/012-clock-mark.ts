import type { Migration } from './released/migration.ts';

/** At most one row: the latest time at which a server with a trusted clock used the store. */
export const clockMark: Migration = {
  name: '012-clock-mark',
  sql: `
  CREATE TABLE clock_mark (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
  ) STRICT;
  `,
};
