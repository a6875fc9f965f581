import type { Migration } from './migration.ts';

/** Adds operator keys, and the indexes that lists of keys are read by. */
export const operatorKeys: Migration = {
  name: '005-operator-keys',
  sql: `
  CREATE TABLE operator_keys (
    digest TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    last_four TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX operator_keys_age ON operator_keys (created_at, id);
  CREATE INDEX app_keys_age ON app_keys (created_at, id);
  CREATE INDEX app_keys_product ON app_keys (product_id, created_at, id);
  `,
};
