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
