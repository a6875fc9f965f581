import type { Migration } from './released/migration.ts';

/** The pages' URLs of a listing. A listing of an earlier schema has none. */
export const listingUrls: Migration = {
  name: '014-listing-urls',
  sql: `
  ALTER TABLE listings ADD COLUMN url TEXT;
  ALTER TABLE listings ADD COLUMN image_url TEXT;
  `,
};

/** What each price of the billing system sells. */
export const prices: Migration = {
  name: '019-prices',
  sql: `
  CREATE TABLE prices (
    price TEXT PRIMARY KEY,
    product_id TEXT NOT NULL,
    tier_id TEXT NOT NULL,
    tier_name TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
};

/** How many devices each unit of a price allows. NULL where the price does not say it, as in every earlier schema. */
export const limitsOfPrices: Migration = {
  name: '030-limits-of-prices',
  sql: `
  ALTER TABLE prices ADD COLUMN device_limit INTEGER;
  `,
};

/** The links of a product that its buyers are shown. A product of an earlier schema has none. */
export const productLinks: Migration = {
  name: '025-product-links',
  sql: `
  ALTER TABLE products ADD COLUMN download_url TEXT;
  ALTER TABLE products ADD COLUMN support_url TEXT;
  `,
};

/** Where buyers of a product manage what they pay. A product of an earlier schema has none. */
export const accountUrls: Migration = {
  name: '032-account-urls',
  sql: 'ALTER TABLE products ADD COLUMN account_url TEXT;',
};

/** What the mail with the key of a product says. A product of an earlier schema has nothing of its own to say. */
export const productMails: Migration = {
  name: '035-product-mails',
  sql: `
  ALTER TABLE products ADD COLUMN mail_keys INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE products ADD COLUMN mail_subject TEXT;
  ALTER TABLE products ADD COLUMN mail_text TEXT;
  `,
};

/** What the page of a listing says. A listing of an earlier schema says nothing. */
export const pageMembers: Migration = {
  name: '028-page-members',
  sql: `
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
  `,
};

/** Deleted listings by the number of the change, for as many of the last changes as `keptDeletions` says. */
export const listingDeletions: Migration = {
  name: '036-listing-deletions',
  sql: `
  CREATE TABLE listing_deletions (
    change INTEGER PRIMARY KEY,
    slug TEXT NOT NULL
  ) STRICT;
  `,
};
