
  ALTER TABLE entitlements ADD COLUMN access_ends_at INTEGER;
  ALTER TABLE entitlements ADD COLUMN updates_until INTEGER;
  ALTER TABLE idempotency_records ADD COLUMN updates_until INTEGER;
  