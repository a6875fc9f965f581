import type { Migration } from './released/migration.ts';

/**
 * Changes nothing: a subscription without the instant owes nothing. The step keeps a release that does not know it from
 * copying the store without it.
 */
export const addUnpaidUntil: Migration = {
  name: '016-unpaid-until',
  run: async () => undefined,
};
