
  ALTER TABLE entitlements ADD COLUMN untold_end INTEGER;
  
  UPDATE entitlements SET untold_end = min(grace_until, ifnull(cancel_at, grace_until))
  WHERE kind = 'subscription' AND hold <> 'revoked'
    AND min(grace_until, ifnull(cancel_at, grace_until)) > unixepoch('subsec') * 1000;

  CREATE INDEX entitlements_untold_end ON entitlements (untold_end) WHERE untold_end IS NOT NULL AND hold = 'none';
  