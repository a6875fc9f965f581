import { createIndexes, type Indexes, type Migration } from './migration.ts';

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
