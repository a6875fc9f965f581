
  ALTER TABLE webhook_endpoints ADD COLUMN addition TEXT NOT NULL DEFAULT '';
  ALTER TABLE delivery_streams ADD COLUMN addition TEXT NOT NULL DEFAULT '';
  