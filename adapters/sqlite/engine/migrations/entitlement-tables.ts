/**
 * Entitlements with what they have of their own. A license is stored in its row, so that grant and rotation are one write and
 * verification is one look-up. `recent_history` takes the entry of a change in the row that the change writes anyway; full
 * chunks of it move to `entitlement_history`, where `version` is the one that the last entry of the chunk has made. The
 * trigger refuses a change without an event.
 */
export const entitlementTables = `
  CREATE TABLE entitlements (
    id TEXT PRIMARY KEY,
    product_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    tier_id TEXT NOT NULL,
    tier_name TEXT NOT NULL,
    billing_interval TEXT,
    standing TEXT NOT NULL,
    hold TEXT NOT NULL,
    hold_at INTEGER,
    period_start INTEGER NOT NULL,
    period_end INTEGER,
    grace_until INTEGER,
    cancel_at INTEGER,
    canceled_at INTEGER,
    license_digest TEXT,
    license_last_four TEXT,
    license_created_at INTEGER,
    license_revoked_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    reference TEXT,
    recent_history TEXT NOT NULL DEFAULT '',
    sequence INTEGER NOT NULL DEFAULT 0,
    next_event_at INTEGER,
    billing_interval_count INTEGER NOT NULL DEFAULT 1,
    suspension_causes TEXT,
    untold_end INTEGER,
    anchor_day INTEGER,
    unpaid_until INTEGER,
    access_ends_at INTEGER,
    updates_until INTEGER,
    device_limit INTEGER,
    devices_used INTEGER NOT NULL DEFAULT 0,
    releases_until INTEGER,
    features TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX entitlements_license ON entitlements (license_digest) WHERE license_digest IS NOT NULL;
  CREATE INDEX entitlements_product ON entitlements (product_id, id);
  CREATE UNIQUE INDEX entitlements_reference ON entitlements (product_id, reference) WHERE reference IS NOT NULL;
  CREATE INDEX entitlements_next_event ON entitlements (next_event_at) WHERE next_event_at IS NOT NULL;
  CREATE TRIGGER entitlement_changes_are_told BEFORE UPDATE OF version ON entitlements
  WHEN NEW.version <> OLD.version AND NEW.sequence = OLD.sequence
  BEGIN
    SELECT RAISE(ABORT, 'a change without an event');
  END;
  CREATE INDEX entitlements_untold_end ON entitlements (untold_end) WHERE untold_end IS NOT NULL AND hold = 'none';
  CREATE INDEX entitlements_created ON entitlements (created_at, id);
  CREATE INDEX entitlements_product_created ON entitlements (product_id, created_at, id);
  CREATE INDEX entitlements_last_four ON entitlements (license_last_four, id) WHERE license_last_four IS NOT NULL;

  CREATE TABLE idempotency_records (
    product_id TEXT NOT NULL,
    key TEXT NOT NULL,
    operation TEXT NOT NULL,
    entitlement_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    correlation_id TEXT NOT NULL,
    status TEXT NOT NULL,
    period_start INTEGER NOT NULL,
    period_end INTEGER,
    cancel_at INTEGER,
    canceled_at INTEGER,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    tier_id TEXT,
    tier_name TEXT,
    billing_interval TEXT,
    billing_interval_count INTEGER,
    updates_until INTEGER,
    PRIMARY KEY (product_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_records_age ON idempotency_records (entitlement_id, at);

  CREATE TABLE retention_promises (
    milliseconds INTEGER PRIMARY KEY,
    until INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE entitlement_history (
    entitlement_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    entries TEXT NOT NULL,
    PRIMARY KEY (entitlement_id, version)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE devices (
    entitlement_id TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT,
    activated_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    offline_until INTEGER,
    PRIMARY KEY (entitlement_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX devices_seen ON devices (entitlement_id, seen_at, id);

  CREATE TABLE buyer_links (
    digest TEXT PRIMARY KEY,
    entitlement_id TEXT NOT NULL,
    app_key_id TEXT,
    return_url TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX buyer_links_entitlement ON buyer_links (entitlement_id, created_at);
  CREATE INDEX buyer_links_end ON buyer_links (expires_at);
`;
