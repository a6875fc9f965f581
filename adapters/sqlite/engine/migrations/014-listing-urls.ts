import type { Migration } from './released/migration.ts';

/** The pages' URLs of a listing. A listing of an earlier schema has none. */
export const listingUrls: Migration = {
  name: '014-listing-urls',
  sql: `
  ALTER TABLE listings ADD COLUMN url TEXT;
  ALTER TABLE listings ADD COLUMN image_url TEXT;
  `,
};
