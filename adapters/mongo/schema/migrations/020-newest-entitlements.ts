import { createIndexes, type Indexes, type Migration } from './released/migration.ts';

export const newestIndexes: Indexes = {
  entitlements: [
    /** Find the newest entitlements, of all products and of one, and those by the end of their license keys. */
    { name: 'created', key: { createdAt: 1, _id: 1 } },
    { name: 'product_created', key: { productId: 1, createdAt: 1, _id: 1 } },
    { name: 'last_four', key: { 'license.lastFour': 1, _id: 1 } },
  ],
};

export const indexNewestEntitlements: Migration = {
  name: '020-newest-entitlements',
  run: (db) => createIndexes(db, newestIndexes),
};
