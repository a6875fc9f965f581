import { createIndexes, type Indexes, type Migration } from './migration.ts';

export const firstIndexes: Indexes = {
  /** A listing is stored under its slug; its id is unique as well. */
  listings: [{ name: 'id', key: { id: 1 }, unique: true }],

  /** An app key is stored under its digest; commands name it by its id. */
  app_keys: [{ name: 'id', key: { id: 1 }, unique: true }],

  entitlements: [
    /** Lists the entitlements of a product by id. */
    { name: 'product', key: { productId: 1, _id: 1 } },

    /**
     * One effect for each idempotency key of a product. Partial, because an absent field counts as null: without the
     * filter, two entitlements without records would collide.
     */
    {
      name: 'record_key',
      key: { productId: 1, 'records.key': 1 },
      unique: true,
      partialFilterExpression: { 'records.key': { $exists: true } },
    },

    /** One entitlement for each license key. Partial for the same reason. */
    {
      name: 'license_digest',
      key: { 'license.digest': 1 },
      unique: true,
      partialFilterExpression: { 'license.digest': { $exists: true } },
    },
  ],
};

export const createFirstIndexes: Migration = {
  name: '001-first-indexes',
  run: (db) => createIndexes(db, firstIndexes),
};
