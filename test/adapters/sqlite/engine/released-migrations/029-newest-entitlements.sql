
  CREATE INDEX entitlements_created ON entitlements (created_at, id);
  CREATE INDEX entitlements_product_created ON entitlements (product_id, created_at, id);
  CREATE INDEX entitlements_last_four ON entitlements (license_last_four, id) WHERE license_last_four IS NOT NULL;
  