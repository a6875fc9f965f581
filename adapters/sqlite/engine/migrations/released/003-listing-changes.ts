import type { Migration } from './migration.ts';

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
