import type { Migration } from './released/migration.ts';

/** At most one row: all signing keys. A store of an earlier schema has none. */
export const signingKeys: Migration = {
  name: '013-signing-keys',
  sql: `
  CREATE TABLE signing_keys (
    id TEXT PRIMARY KEY CHECK (id = 'latchkey'),
    revision INTEGER NOT NULL,
    ring TEXT NOT NULL
  ) STRICT;
  `,
};
