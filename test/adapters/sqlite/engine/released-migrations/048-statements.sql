
  CREATE TABLE statements (
    id TEXT NOT NULL PRIMARY KEY,
    product_id TEXT NOT NULL,
    handle TEXT NOT NULL,
    currency TEXT NOT NULL,
    number INTEGER NOT NULL,
    month TEXT NOT NULL,
    closed_at INTEGER NOT NULL,
    closed_by TEXT NOT NULL,
    line_count INTEGER NOT NULL,
    opening INTEGER NOT NULL,
    total INTEGER NOT NULL,
    balance INTEGER NOT NULL,
    paid TEXT,
    state TEXT NOT NULL,
    revision INTEGER NOT NULL,
    lines TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX statements_chain ON statements (product_id, handle, currency, number);
  CREATE INDEX statements_list ON statements (month DESC, handle, product_id, currency);
  CREATE INDEX statements_of_product ON statements (product_id, month DESC, handle, currency);
  CREATE INDEX statements_of_affiliate ON statements (handle, month DESC, product_id, currency);
  CREATE INDEX statements_of_state ON statements (state, month DESC, handle, product_id, currency);
  