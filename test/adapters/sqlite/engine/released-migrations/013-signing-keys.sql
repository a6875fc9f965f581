
  CREATE TABLE signing_keys (
    id TEXT PRIMARY KEY CHECK (id = 'latchkey'),
    revision INTEGER NOT NULL,
    ring TEXT NOT NULL
  ) STRICT;
  