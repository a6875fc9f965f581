
  ALTER TABLE products ADD COLUMN download_url TEXT;
  ALTER TABLE products ADD COLUMN support_url TEXT;
  