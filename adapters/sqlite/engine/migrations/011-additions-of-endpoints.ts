import type { Migration } from './released/migration.ts';

/** Names the addition that the streams of an endpoint were written for. Those of earlier schemas have the empty name. */
export const additionsOfEndpoints: Migration = {
  name: '011-additions-of-endpoints',
  sql: `
  ALTER TABLE webhook_endpoints ADD COLUMN addition TEXT NOT NULL DEFAULT '';
  ALTER TABLE delivery_streams ADD COLUMN addition TEXT NOT NULL DEFAULT '';
  `,
};
