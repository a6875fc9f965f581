
  CREATE TABLE sales (
    entitlement_id TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    product_id TEXT NOT NULL,
    handle TEXT NOT NULL,
    slug TEXT NOT NULL,
    source TEXT NOT NULL,
    attributed_at INTEGER NOT NULL,
    terms TEXT NOT NULL,
    currency TEXT NOT NULL,
    payments TEXT NOT NULL,
    confirmed_at INTEGER,
    voided TEXT,
    stated INTEGER NOT NULL,
    statements INTEGER NOT NULL,
    stated_until INTEGER,
    look_at INTEGER,
    line_at INTEGER,
    revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sales_look ON sales (look_at) WHERE look_at IS NOT NULL;
  CREATE INDEX sales_lines ON sales (product_id, handle, currency, id) WHERE line_at IS NOT NULL;
  CREATE INDEX sales_age ON sales (attributed_at, id);
  CREATE INDEX sales_of_product ON sales (product_id, attributed_at, id);
  CREATE INDEX sales_of_affiliate ON sales (handle, attributed_at, id);
  