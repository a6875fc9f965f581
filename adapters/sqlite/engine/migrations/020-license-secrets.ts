import type { Migration } from './released/migration.ts';

/** At most one row: what license keys are derived from. */
export const licenseSecrets: Migration = {
  name: '020-license-secrets',
  sql: `
  CREATE TABLE license_secrets (
    id TEXT PRIMARY KEY CHECK (id = 'latchkey'),
    secret TEXT NOT NULL
  ) STRICT;
  `,
};
