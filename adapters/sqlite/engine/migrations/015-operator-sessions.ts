import type { Migration } from './released/migration.ts';

/** The sessions of operators, each under the digest of its token. The indexes find those that have ended. */
export const operatorSessions: Migration = {
  name: '015-operator-sessions',
  sql: `
  CREATE TABLE operator_sessions (
    digest TEXT PRIMARY KEY,
    operator_key_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX operator_sessions_age ON operator_sessions (created_at);
  CREATE INDEX operator_sessions_use ON operator_sessions (last_used_at);
  `,
};
