import { createIndexes, type Indexes, type Migration } from './migration.ts';

export const listingIndexes: Indexes = {
  /** Lists the listings in one state by slug. */
  listings: [{ name: 'state', key: { state: 1, _id: 1 } }],
};

export const indexListingStates: Migration = {
  name: '004-listing-states',
  run: (db) => createIndexes(db, listingIndexes),
};
