import type { Migration } from './released/migration.ts';

/**
 * Changes nothing: a purchase without an end never ends, and a record without it had none. The step keeps a release that
 * does not know ends from copying the store without them.
 */
export const addEndsOfPurchases: Migration = {
  name: '017-ends-of-purchases',
  run: async () => undefined,
};
