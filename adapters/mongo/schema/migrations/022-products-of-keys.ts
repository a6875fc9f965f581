import { createIndexes, type Indexes, type Migration } from './released/migration.ts';

/** Lists the listings and the endpoints of a product. */
export const productIndexes: Indexes = {
  listings: [{ name: 'product', key: { productId: 1, _id: 1 } }],
  webhook_endpoints: [{ name: 'product', key: { productId: 1, _id: 1 } }],
};

/** A process of an earlier release would let an operator key that is limited to products reach every product. */
export const addProductsOfKeys: Migration = {
  name: '022-products-of-keys',
  isExclusive: true,
  run: (db) => createIndexes(db, productIndexes),
};
