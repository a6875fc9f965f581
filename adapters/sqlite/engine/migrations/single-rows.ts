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

/** At most one row: what license keys are derived from. */
export const licenseSecrets: Migration = {
  name: '020-license-secrets',
  sql: `
  CREATE TABLE license_secrets (
    id TEXT PRIMARY KEY CHECK (id = 'latchkey'),
    secret TEXT NOT NULL
  ) STRICT;
  `,
};
