import type { Migration } from './migration.ts';

export const listingStates: Migration = {
  name: '007-listing-states',
  sql: `
  CREATE INDEX listings_state ON listings (state, slug);
  `,
};
