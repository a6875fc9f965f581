
  CREATE TABLE prices (
    price TEXT PRIMARY KEY,
    product_id TEXT NOT NULL,
    tier_id TEXT NOT NULL,
    tier_name TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  