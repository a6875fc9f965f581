import type { Migration } from './migration.ts';

/** An entitlement's license is stored in its row, so that grant and rotation are one write and verification is one look-up. */
export const productsKeysAndEntitlements: Migration = {
  name: '001-products-keys-and-entitlements',
  sql: `
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
};
