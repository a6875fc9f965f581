
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

  CREATE TABLE products (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    download_url TEXT,
    support_url TEXT,
    account_url TEXT,
    mail_keys INTEGER NOT NULL DEFAULT 1,
    mail_subject TEXT,
    mail_text TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE tiers (
    product_id TEXT NOT NULL,
    id TEXT NOT NULL,
    device_limit INTEGER,
    features TEXT,
    revision INTEGER NOT NULL,
    PRIMARY KEY (product_id, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE prices (
    price TEXT PRIMARY KEY,
    product_id TEXT NOT NULL,
    tier_id TEXT NOT NULL,
    tier_name TEXT NOT NULL,
    device_limit INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE listings (
    slug TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    blurb TEXT NOT NULL,
    category TEXT NOT NULL,
    commission_percent REAL NOT NULL,
    compensation_type TEXT NOT NULL,
    compensation_label TEXT NOT NULL,
    featured INTEGER NOT NULL,
    storefront_count INTEGER NOT NULL,
    state TEXT NOT NULL,
    published_at INTEGER NOT NULL,
    upfront_cents INTEGER NOT NULL,
    change INTEGER NOT NULL,
    url TEXT,
    image_url TEXT,
    description TEXT,
    join_url TEXT,
    commission_for TEXT,
    cookie_days INTEGER,
    payout_label TEXT,
    maker TEXT,
    maker_url TEXT,
    contact_url TEXT,
    picture_url TEXT,
    picture_alt TEXT,
    product_id TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX listings_change ON listings (change);
  CREATE INDEX listings_state ON listings (state, slug);
  CREATE INDEX listings_product ON listings (product_id, slug);

  CREATE TABLE listing_changes (
    last INTEGER NOT NULL,
    forgotten INTEGER NOT NULL
  ) STRICT;
  INSERT INTO listing_changes VALUES (0, 0);

  CREATE TABLE waitlist (
    address TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    name TEXT,
    handle TEXT,
    role TEXT,
    at INTEGER NOT NULL,
    requests INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE stripe_cases (
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    since INTEGER NOT NULL,
    detail TEXT,
    change TEXT,
    charge_at INTEGER,
    charge_amount INTEGER,
    charge_currency TEXT,
    PRIMARY KEY (id, kind)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX stripe_cases_age ON stripe_cases (since, id, kind);

  CREATE TABLE app_keys (
    digest TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    product_id TEXT NOT NULL,
    last_four TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX app_keys_age ON app_keys (created_at, id);
  CREATE INDEX app_keys_product ON app_keys (product_id, created_at, id);

  CREATE TABLE operator_keys (
    digest TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    last_four TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER,
    products TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX operator_keys_age ON operator_keys (created_at, id);

  CREATE TABLE operator_sessions (
    digest TEXT PRIMARY KEY,
    operator_key_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX operator_sessions_age ON operator_sessions (created_at);
  CREATE INDEX operator_sessions_use ON operator_sessions (last_used_at);

  CREATE TABLE signing_keys (
    id TEXT PRIMARY KEY CHECK (id = 'latchkey'),
    revision INTEGER NOT NULL,
    ring TEXT NOT NULL
  ) STRICT;

  CREATE TABLE license_secrets (
    id TEXT PRIMARY KEY CHECK (id = 'latchkey'),
    secret TEXT NOT NULL
  ) STRICT;

  CREATE TABLE events (
    product_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    told_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (product_id, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE webhook_endpoints (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    product_id TEXT,
    types TEXT,
    secrets TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    created_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    addition TEXT NOT NULL DEFAULT '',
    is_public_only INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhook_endpoints_product ON webhook_endpoints (product_id, id);

  CREATE TABLE delivery_streams (
    id TEXT PRIMARY KEY,
    endpoint_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    cursor INTEGER NOT NULL,
    needed INTEGER NOT NULL,
    holder TEXT,
    fence INTEGER NOT NULL,
    state TEXT NOT NULL,
    addition TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE clock_mark (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE last_backup (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
  ) STRICT;
