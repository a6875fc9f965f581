/**
 * The schema, one step after another; a step that was released is never edited. Instants are milliseconds since 1970.
 * An entitlement's license stands in its row, so that grant and rotation are one write and verification is one look-up.
 * Changes of listings are numbered one after another, and no number is given twice.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE products (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

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
    revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX entitlements_license ON entitlements (license_digest) WHERE license_digest IS NOT NULL;
  CREATE INDEX entitlements_product ON entitlements (product_id, id);

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
    PRIMARY KEY (product_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_records_age ON idempotency_records (entitlement_id, at);
  `,
  `
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
    change INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX listings_change ON listings (change);

  CREATE TABLE waitlist (
    address TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    name TEXT,
    handle TEXT,
    role TEXT,
    at INTEGER NOT NULL,
    requests INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE listing_changes (
    last INTEGER NOT NULL,
    forgotten INTEGER NOT NULL
  ) STRICT;
  INSERT INTO listing_changes SELECT coalesce(max(change), 0), 0 FROM listings;
  `,
];
