import type { Migration } from './released/migration.ts';

/** What each price of the billing system sells. */
export const prices: Migration = {
  name: '019-prices',
  sql: `
  CREATE TABLE prices (
    price TEXT PRIMARY KEY,
    product_id TEXT NOT NULL,
    tier_id TEXT NOT NULL,
    tier_name TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
};
