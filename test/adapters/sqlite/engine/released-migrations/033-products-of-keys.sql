
  ALTER TABLE operator_keys ADD COLUMN products TEXT;
  ALTER TABLE listings ADD COLUMN product_id TEXT;
  ALTER TABLE webhook_endpoints ADD COLUMN is_public_only INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX listings_product ON listings (product_id, slug);
  CREATE INDEX webhook_endpoints_product ON webhook_endpoints (product_id, id);
  