import type { Migration } from '../released/migration.ts';

/** Until when access lasts although a payment is missing. NULL where nothing is owed, as in every earlier schema. */
export const unpaidUntil: Migration = {
  name: '023-unpaid-until',
  sql: `
  ALTER TABLE entitlements ADD COLUMN unpaid_until INTEGER;
  `,
};
