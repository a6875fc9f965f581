
  ALTER TABLE entitlements ADD COLUMN billing_interval_count INTEGER NOT NULL DEFAULT 1;
  