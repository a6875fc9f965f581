
  CREATE TABLE retention_promises (
    milliseconds INTEGER PRIMARY KEY,
    until INTEGER NOT NULL
  ) STRICT;
  INSERT INTO retention_promises
    SELECT 73 * 3600000, latest + 1 FROM (SELECT max(at) AS latest FROM idempotency_records) WHERE latest IS NOT NULL;
  