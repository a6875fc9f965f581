import type { Migration } from './released/migration.ts';

/** The tier and the interval in the answer of a record. A record of an earlier schema gets the present ones. */
export const termsOfAnswers: Migration = {
  name: '021-terms-of-answers',
  sql: `
  ALTER TABLE idempotency_records ADD COLUMN tier_id TEXT;
  ALTER TABLE idempotency_records ADD COLUMN tier_name TEXT;
  ALTER TABLE idempotency_records ADD COLUMN billing_interval TEXT;
  ALTER TABLE idempotency_records ADD COLUMN billing_interval_count INTEGER;
  UPDATE idempotency_records
  SET tier_id = e.tier_id, tier_name = e.tier_name, billing_interval = e.billing_interval,
    billing_interval_count = e.billing_interval_count
  FROM entitlements AS e WHERE e.id = idempotency_records.entitlement_id;
  `,
};
