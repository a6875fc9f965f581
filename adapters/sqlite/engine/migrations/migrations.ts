import { catalogTables } from './catalog-tables.ts';
import { entitlementTables } from './entitlement-tables.ts';
import { restoreNoteTable } from './restore-note.ts';
import { serviceTables } from './service-tables.ts';

/** One step of the schema. The SQL of a step that was released is never edited: a change is a step of its own. */
export interface Migration {
  /** Its number and what it adds. It never changes. */
  readonly name: string;
  readonly sql: string;
}

/** The schema of release 0.2.0. A file with an older one is upgraded by that release first. */
export const oldestSchema = 35;

/**
 * Every migration in the order in which a new file runs them: the first makes the oldest schema that this release knows. All
 * instants in the tables are milliseconds since 1970.
 *
 * To change the schema, append a step, and name new columns in the row's `Table`. With the release, copy its SQL to
 * `test/adapters/sqlite/engine/released-migrations`.
 */
export const migrations: readonly Migration[] = [
  { name: '035-release-0.2.0', sql: `${entitlementTables}${catalogTables}${serviceTables}` },
  {
    // Deleted listings by the number of the change, for as many of the last changes as `keptDeletions` says.
    name: '036-listing-deletions',
    sql: `
  CREATE TABLE listing_deletions (
    change INTEGER PRIMARY KEY,
    slug TEXT NOT NULL
  ) STRICT;
  `,
  },
  {
    // Marks the links in mails for lost keys. Links of an earlier schema count as others.
    name: '037-links-of-lost-keys',
    sql: 'ALTER TABLE buyer_links ADD COLUMN for_lost_keys INTEGER NOT NULL DEFAULT 0;',
  },
  { name: '038-restore-note', sql: restoreNoteTable },
  {
    // Deliveries that wait, a row for each entitlement. `needed` is the first of the positions, and a parked one has no `at`.
    name: '039-waiting-deliveries',
    sql: `
  CREATE TABLE waiting_deliveries (
    stream_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER,
    attempt INTEGER NOT NULL,
    needed INTEGER NOT NULL,
    positions TEXT NOT NULL,
    effect TEXT,
    PRIMARY KEY (stream_id, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX waiting_deliveries_time ON waiting_deliveries (stream_id, at);
  CREATE INDEX waiting_deliveries_needed ON waiting_deliveries (stream_id, needed);
  `,
  },
  { name: '040-mail-before-an-end', sql: 'ALTER TABLE products ADD COLUMN mail_ending INTEGER NOT NULL DEFAULT 0;' },
  { name: '041-link-into-the-app', sql: 'ALTER TABLE products ADD COLUMN activate_url TEXT;' },
  {
    // The invitations of the waitlist. `invitation` is JSON.
    name: '042-invitations',
    sql: `
  ALTER TABLE waitlist ADD COLUMN invited_at INTEGER;
  ALTER TABLE waitlist ADD COLUMN invitation_digest TEXT;
  ALTER TABLE waitlist ADD COLUMN invitation TEXT;
  CREATE INDEX waitlist_invitation ON waitlist (invitation_digest) WHERE invitation_digest IS NOT NULL;
  `,
  },
  {
    // `terms`, `payments` and `voided` are JSON. `look_at` and `line_at` are null where nothing waits.
    name: '043-sales',
    sql: `
  CREATE TABLE sales (
    entitlement_id TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    product_id TEXT NOT NULL,
    handle TEXT NOT NULL,
    slug TEXT NOT NULL,
    source TEXT NOT NULL,
    attributed_at INTEGER NOT NULL,
    terms TEXT NOT NULL,
    currency TEXT NOT NULL,
    payments TEXT NOT NULL,
    confirmed_at INTEGER,
    voided TEXT,
    stated INTEGER NOT NULL,
    statements INTEGER NOT NULL,
    stated_until INTEGER,
    look_at INTEGER,
    line_at INTEGER,
    revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sales_look ON sales (look_at) WHERE look_at IS NOT NULL;
  CREATE INDEX sales_lines ON sales (product_id, handle, currency, id) WHERE line_at IS NOT NULL;
  CREATE INDEX sales_age ON sales (attributed_at, id);
  CREATE INDEX sales_of_product ON sales (product_id, attributed_at, id);
  CREATE INDEX sales_of_affiliate ON sales (handle, attributed_at, id);
  `,
  },
  {
    // The trials of devices, and the length of the trials that tiers offer, in milliseconds.
    name: '044-trials',
    sql: `
  ALTER TABLE tiers ADD COLUMN trial INTEGER;
  CREATE TABLE trials (
    id TEXT NOT NULL PRIMARY KEY,
    product_id TEXT NOT NULL,
    tier_id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    converted_at INTEGER,
    entitlement_id TEXT,
    revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX trials_of_products ON trials (product_id, started_at, id);
  CREATE INDEX trials_of_entitlements ON trials (entitlement_id) WHERE entitlement_id IS NOT NULL;
  CREATE INDEX trials_by_end ON trials (ends_at);
  `,
  },
  { name: '045-updates-of-prices', sql: 'ALTER TABLE prices ADD COLUMN updates INTEGER;' },
  {
    // `codes` and `terms` are JSON. Each code of a product belongs to one promotion, which never loses it.
    name: '046-affiliates',
    sql: `
  CREATE TABLE affiliates (
    handle TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT,
    address TEXT UNIQUE,
    about TEXT,
    url TEXT,
    pay_to TEXT,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE promotions (
    handle TEXT NOT NULL,
    slug TEXT NOT NULL,
    product_id TEXT NOT NULL,
    state TEXT NOT NULL,
    codes TEXT NOT NULL,
    terms TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (handle, slug)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX promotions_of_listing ON promotions (slug, product_id, state);
  CREATE INDEX promotions_of_product ON promotions (product_id, handle, slug);
  CREATE INDEX promotions_of_state ON promotions (state, handle, slug);
  CREATE TABLE promotion_codes (
    product_id TEXT NOT NULL,
    code TEXT NOT NULL,
    handle TEXT NOT NULL,
    slug TEXT NOT NULL,
    PRIMARY KEY (product_id, code)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER promotion_codes_begin AFTER INSERT ON promotions BEGIN
    INSERT INTO promotion_codes (product_id, code, handle, slug) SELECT NEW.product_id, value, NEW.handle, NEW.slug FROM json_each(NEW.codes);
  END;
  CREATE TRIGGER promotion_codes_are_added AFTER UPDATE OF codes ON promotions BEGIN
    INSERT INTO promotion_codes (product_id, code, handle, slug) SELECT NEW.product_id, value, NEW.handle, NEW.slug FROM json_each(NEW.codes)
      WHERE value NOT IN (SELECT value FROM json_each(OLD.codes));
  END;
  CREATE TRIGGER promotion_codes_go AFTER DELETE ON promotions BEGIN
    DELETE FROM promotion_codes
      WHERE product_id = OLD.product_id AND code IN (SELECT value FROM json_each(OLD.codes));
  END;
    `,
  },
  {
    // The settings of a listing for affiliates, and the number of its live promotions.
    name: '047-affiliates-of-listings',
    sql: `
  ALTER TABLE listings ADD COLUMN affiliates TEXT NOT NULL DEFAULT 'none';
  ALTER TABLE listings ADD COLUMN sale_url TEXT;
  ALTER TABLE listings ADD COLUMN hold_days INTEGER NOT NULL DEFAULT 30;
  ALTER TABLE listings ADD COLUMN storefronts INTEGER NOT NULL DEFAULT 0;
  `,
  },
  {
    // `paid` and `lines` are JSON. `lines` is the last column, and large.
    name: '048-statements',
    sql: `
  CREATE TABLE statements (
    id TEXT NOT NULL PRIMARY KEY,
    product_id TEXT NOT NULL,
    handle TEXT NOT NULL,
    currency TEXT NOT NULL,
    number INTEGER NOT NULL,
    month TEXT NOT NULL,
    closed_at INTEGER NOT NULL,
    closed_by TEXT NOT NULL,
    line_count INTEGER NOT NULL,
    opening INTEGER NOT NULL,
    total INTEGER NOT NULL,
    balance INTEGER NOT NULL,
    paid TEXT,
    state TEXT NOT NULL,
    revision INTEGER NOT NULL,
    lines TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX statements_chain ON statements (product_id, handle, currency, number);
  CREATE INDEX statements_list ON statements (month DESC, handle, product_id, currency);
  CREATE INDEX statements_of_product ON statements (product_id, month DESC, handle, currency);
  CREATE INDEX statements_of_affiliate ON statements (handle, month DESC, product_id, currency);
  CREATE INDEX statements_of_state ON statements (state, month DESC, handle, product_id, currency);
  `,
  },
  { name: '049-icons-of-products', sql: 'ALTER TABLE products ADD COLUMN icon_url TEXT;' },
];

/** The steps that a file with a schema lacks; all of them for an empty file, whose schema is 0. */
export function stepsAfter(schema: number): readonly Migration[] {
  return migrations.slice(schema === 0 ? 0 : schema - oldestSchema + 1);
}
