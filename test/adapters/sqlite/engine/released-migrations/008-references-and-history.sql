
  ALTER TABLE entitlements ADD COLUMN reference TEXT;
  CREATE UNIQUE INDEX entitlements_reference ON entitlements (product_id, reference) WHERE reference IS NOT NULL;

  ALTER TABLE entitlements ADD COLUMN recent_history TEXT NOT NULL DEFAULT '';
  CREATE TABLE entitlement_history (
    entitlement_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    entries TEXT NOT NULL,
    PRIMARY KEY (entitlement_id, version)
  ) STRICT, WITHOUT ROWID;
  