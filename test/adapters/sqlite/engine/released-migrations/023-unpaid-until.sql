
  ALTER TABLE entitlements ADD COLUMN unpaid_until INTEGER;
  