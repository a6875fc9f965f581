
  CREATE TABLE webhook_endpoints (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    product_id TEXT,
    types TEXT,
    secrets TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    created_at INTEGER NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE delivery_streams (
    id TEXT PRIMARY KEY,
    endpoint_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    cursor INTEGER NOT NULL,
    needed INTEGER NOT NULL,
    holder TEXT,
    fence INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  