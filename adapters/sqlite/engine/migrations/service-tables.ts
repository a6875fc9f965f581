/**
 * Keys, the log of each product, and where its events go. `needed` is the first position of the log that has not been
 * delivered; `secrets`, `types`, `state` and `ring` are JSON. The last tables have at most one row each.
 */
export const serviceTables = `
  CREATE TABLE app_keys (
    digest TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    product_id TEXT NOT NULL,
    last_four TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX app_keys_age ON app_keys (created_at, id);
  CREATE INDEX app_keys_product ON app_keys (product_id, created_at, id);

  CREATE TABLE operator_keys (
    digest TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    last_four TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER,
    products TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX operator_keys_age ON operator_keys (created_at, id);

  CREATE TABLE operator_sessions (
    digest TEXT PRIMARY KEY,
    operator_key_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX operator_sessions_age ON operator_sessions (created_at);
  CREATE INDEX operator_sessions_use ON operator_sessions (last_used_at);

  CREATE TABLE signing_keys (
    id TEXT PRIMARY KEY CHECK (id = 'latchkey'),
    revision INTEGER NOT NULL,
    ring TEXT NOT NULL
  ) STRICT;

  CREATE TABLE license_secrets (
    id TEXT PRIMARY KEY CHECK (id = 'latchkey'),
    secret TEXT NOT NULL
  ) STRICT;

  CREATE TABLE events (
    product_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    told_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (product_id, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE webhook_endpoints (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    product_id TEXT,
    types TEXT,
    secrets TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    created_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    addition TEXT NOT NULL DEFAULT '',
    is_public_only INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhook_endpoints_product ON webhook_endpoints (product_id, id);

  CREATE TABLE delivery_streams (
    id TEXT PRIMARY KEY,
    endpoint_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    cursor INTEGER NOT NULL,
    needed INTEGER NOT NULL,
    holder TEXT,
    fence INTEGER NOT NULL,
    state TEXT NOT NULL,
    addition TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE clock_mark (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE last_backup (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
  ) STRICT;
`;
