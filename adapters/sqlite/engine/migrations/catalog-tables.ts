/**
 * Products, what they sell, and the marketplace. `listing_changes` numbers the changes of listings; a number is never
 * reused, even after a listing was deleted. `features` is JSON; null once the tier is deleted.
 */
export const catalogTables = `
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
`;
