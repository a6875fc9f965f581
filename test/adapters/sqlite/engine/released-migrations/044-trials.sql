
  ALTER TABLE tiers ADD COLUMN trial INTEGER;
  CREATE TABLE trials (
    id TEXT NOT NULL PRIMARY KEY,
    product_id TEXT NOT NULL,
    tier_id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    converted_at INTEGER,
    entitlement_id TEXT,
    revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX trials_of_products ON trials (product_id, started_at, id);
  CREATE INDEX trials_of_entitlements ON trials (entitlement_id) WHERE entitlement_id IS NOT NULL;
  CREATE INDEX trials_by_end ON trials (ends_at);
  