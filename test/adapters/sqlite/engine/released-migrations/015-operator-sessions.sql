
  CREATE TABLE operator_sessions (
    digest TEXT PRIMARY KEY,
    operator_key_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX operator_sessions_age ON operator_sessions (created_at);
  CREATE INDEX operator_sessions_use ON operator_sessions (last_used_at);
  