
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
  