import type { Migration } from './released/migration.ts';

/**
 * Changes nothing: the collection of the prices is created by its first document. The step keeps a release that does not
 * know them from copying the store without them.
 */
export const addPrices: Migration = {
  name: '012-prices',
  run: async () => undefined,
};
