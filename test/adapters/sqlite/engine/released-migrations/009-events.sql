
  ALTER TABLE entitlements ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE entitlements ADD COLUMN next_event_at INTEGER;
  
  UPDATE entitlements SET next_event_at = CASE
    WHEN kind = 'one_time' OR hold = 'revoked' THEN NULL
    WHEN min(grace_until, ifnull(cancel_at, grace_until)) <= unixepoch('subsec') * 1000 THEN NULL
    WHEN hold = 'none' AND standing <> 'past_due' AND period_end > unixepoch('subsec') * 1000
      AND period_end < min(grace_until, ifnull(cancel_at, grace_until)) THEN period_end
    ELSE min(grace_until, ifnull(cancel_at, grace_until))
  END;

  CREATE INDEX entitlements_next_event ON entitlements (next_event_at) WHERE next_event_at IS NOT NULL;

  CREATE TABLE events (
    product_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    told_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (product_id, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER entitlement_changes_are_told BEFORE UPDATE OF version ON entitlements
  WHEN NEW.version <> OLD.version AND NEW.sequence = OLD.sequence
  BEGIN
    SELECT RAISE(ABORT, 'a change without an event');
  END;
  