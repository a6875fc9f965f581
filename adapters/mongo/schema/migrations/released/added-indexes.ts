import { createIndexes, type Indexes, type Migration } from './migration.ts';

export const keyIndexes: Indexes = {
  app_keys: [
    /** Lists keys, the oldest first. */
    { name: 'age', key: { createdAt: 1, id: 1 } },
    { name: 'product', key: { productId: 1, createdAt: 1, id: 1 } },
  ],

  /** As `app_keys`: stored under the digest, named by the id. */
  operator_keys: [
    { name: 'id', key: { id: 1 }, unique: true },
    { name: 'age', key: { createdAt: 1, id: 1 } },
  ],
};

export const addOperatorKeys: Migration = {
  name: '003-operator-keys',
  run: (db) => createIndexes(db, keyIndexes),
};

export const listingIndexes: Indexes = {
  /** Lists the listings in one state by slug. */
  listings: [{ name: 'state', key: { state: 1, _id: 1 } }],
};

export const indexListingStates: Migration = {
  name: '004-listing-states',
  run: (db) => createIndexes(db, listingIndexes),
};

export const referenceIndexes: Indexes = {
  entitlements: [
    /** One entitlement of a product for each reference. Partial, because most have none. */
    {
      name: 'reference',
      key: { productId: 1, reference: 1 },
      unique: true,
      partialFilterExpression: { reference: { $type: 'string' } },
    },
  ],
};

export const indexReferences: Migration = {
  name: '005-references',
  run: (db) => createIndexes(db, referenceIndexes),
};
