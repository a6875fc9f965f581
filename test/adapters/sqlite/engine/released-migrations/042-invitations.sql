
  ALTER TABLE waitlist ADD COLUMN invited_at INTEGER;
  ALTER TABLE waitlist ADD COLUMN invitation_digest TEXT;
  ALTER TABLE waitlist ADD COLUMN invitation TEXT;
  CREATE INDEX waitlist_invitation ON waitlist (invitation_digest) WHERE invitation_digest IS NOT NULL;
  