
  CREATE TABLE license_secrets (
    id TEXT PRIMARY KEY CHECK (id = 'latchkey'),
    secret TEXT NOT NULL
  ) STRICT;
  