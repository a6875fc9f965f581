
  ALTER TABLE prices ADD COLUMN device_limit INTEGER;
  