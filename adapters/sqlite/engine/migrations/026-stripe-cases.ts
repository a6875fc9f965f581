import type { Migration } from './released/migration.ts';

/** The sales that need a person, at most one of each kind. The index lists the oldest first. */
export const stripeCases: Migration = {
  name: '026-stripe-cases',
  sql: `
  CREATE TABLE stripe_cases (
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    since INTEGER NOT NULL,
    detail TEXT,
    change TEXT,
    charge_at INTEGER,
    charge_amount INTEGER,
    charge_currency TEXT,
    PRIMARY KEY (id, kind)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX stripe_cases_age ON stripe_cases (since, id, kind);
  `,
};
