
  ALTER TABLE listings ADD COLUMN url TEXT;
  ALTER TABLE listings ADD COLUMN image_url TEXT;
  