
  ALTER TABLE entitlements ADD COLUMN suspension_causes TEXT;
  