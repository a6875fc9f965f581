import type { Migration } from './released/migration.ts';

/**
 * Endpoints, and the state of the deliveries to each of them. `needed` is the first position of the log that has not been
 * delivered, and the id of a stream is that of its endpoint and its product. `secrets`, `types` and `state` are JSON.
 */
export const webhooks: Migration = {
  name: '010-webhooks',
  sql: `
  CREATE TABLE webhook_endpoints (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    product_id TEXT,
    types TEXT,
    secrets TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    created_at INTEGER NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE delivery_streams (
    id TEXT PRIMARY KEY,
    endpoint_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    cursor INTEGER NOT NULL,
    needed INTEGER NOT NULL,
    holder TEXT,
    fence INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
};

/** Names the addition that the streams of an endpoint were written for. Those of earlier schemas have the empty name. */
export const additionsOfEndpoints: Migration = {
  name: '011-additions-of-endpoints',
  sql: `
  ALTER TABLE webhook_endpoints ADD COLUMN addition TEXT NOT NULL DEFAULT '';
  ALTER TABLE delivery_streams ADD COLUMN addition TEXT NOT NULL DEFAULT '';
  `,
};
