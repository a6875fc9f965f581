import type { Migration } from './released/migration.ts';

/**
 * Changes nothing: a subscription without an interval count has 1. The step keeps a release that does not know the count
 * from copying the store without it.
 */
export const addIntervalCounts: Migration = {
  name: '010-interval-counts',
  run: async () => undefined,
};
