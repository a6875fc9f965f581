
  CREATE TABLE waiting_deliveries (
    stream_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER,
    attempt INTEGER NOT NULL,
    needed INTEGER NOT NULL,
    positions TEXT NOT NULL,
    effect TEXT,
    PRIMARY KEY (stream_id, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX waiting_deliveries_time ON waiting_deliveries (stream_id, at);
  CREATE INDEX waiting_deliveries_needed ON waiting_deliveries (stream_id, needed);
  