import type { Migration } from './released/migration.ts';

/** What belongs to a product: operator keys that are limited to some, listings, and endpoints in their lists. */
export const productsOfKeys: Migration = {
  name: '033-products-of-keys',
  sql: `
  ALTER TABLE operator_keys ADD COLUMN products TEXT;
  ALTER TABLE listings ADD COLUMN product_id TEXT;
  ALTER TABLE webhook_endpoints ADD COLUMN is_public_only INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX listings_product ON listings (product_id, slug);
  CREATE INDEX webhook_endpoints_product ON webhook_endpoints (product_id, id);
  `,
};
