
  ALTER TABLE idempotency_records ADD COLUMN tier_id TEXT;
  ALTER TABLE idempotency_records ADD COLUMN tier_name TEXT;
  ALTER TABLE idempotency_records ADD COLUMN billing_interval TEXT;
  ALTER TABLE idempotency_records ADD COLUMN billing_interval_count INTEGER;
  UPDATE idempotency_records
  SET tier_id = e.tier_id, tier_name = e.tier_name, billing_interval = e.billing_interval,
    billing_interval_count = e.billing_interval_count
  FROM entitlements AS e WHERE e.id = idempotency_records.entitlement_id;
  