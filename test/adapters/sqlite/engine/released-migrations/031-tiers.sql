
  CREATE TABLE tiers (
    product_id TEXT NOT NULL,
    id TEXT NOT NULL,
    device_limit INTEGER,
    features TEXT,
    revision INTEGER NOT NULL,
    PRIMARY KEY (product_id, id)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE entitlements ADD COLUMN features TEXT;
  