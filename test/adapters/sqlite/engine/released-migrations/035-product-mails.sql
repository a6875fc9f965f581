
  ALTER TABLE products ADD COLUMN mail_keys INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE products ADD COLUMN mail_subject TEXT;
  ALTER TABLE products ADD COLUMN mail_text TEXT;
  