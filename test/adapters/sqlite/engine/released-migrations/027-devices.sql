
  ALTER TABLE entitlements ADD COLUMN device_limit INTEGER;
  ALTER TABLE entitlements ADD COLUMN devices_used INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE entitlements ADD COLUMN releases_until INTEGER;
  CREATE TABLE devices (
    entitlement_id TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT,
    activated_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    offline_until INTEGER,
    PRIMARY KEY (entitlement_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX devices_seen ON devices (entitlement_id, seen_at, id);
  