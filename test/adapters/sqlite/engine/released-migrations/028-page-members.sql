
  ALTER TABLE listings ADD COLUMN description TEXT;
  ALTER TABLE listings ADD COLUMN join_url TEXT;
  ALTER TABLE listings ADD COLUMN commission_for TEXT;
  ALTER TABLE listings ADD COLUMN cookie_days INTEGER;
  ALTER TABLE listings ADD COLUMN payout_label TEXT;
  ALTER TABLE listings ADD COLUMN maker TEXT;
  ALTER TABLE listings ADD COLUMN maker_url TEXT;
  ALTER TABLE listings ADD COLUMN contact_url TEXT;
  ALTER TABLE listings ADD COLUMN picture_url TEXT;
  ALTER TABLE listings ADD COLUMN picture_alt TEXT;
  