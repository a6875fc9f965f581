import type { Migration } from './migration.ts';

export const listingsAndWaitlist: Migration = {
  name: '002-listings-and-waitlist',
  sql: `
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
};

/** Numbers the changes of listings consecutively. A number is never reused, even after a listing was deleted. */
export const listingChanges: Migration = {
  name: '003-listing-changes',
  sql: `
  CREATE TABLE listing_changes (
    last INTEGER NOT NULL,
    forgotten INTEGER NOT NULL
  ) STRICT;
  INSERT INTO listing_changes SELECT coalesce(max(change), 0), 0 FROM listings;
  `,
};

export const listingStates: Migration = {
  name: '007-listing-states',
  sql: `
  CREATE INDEX listings_state ON listings (state, slug);
  `,
};
