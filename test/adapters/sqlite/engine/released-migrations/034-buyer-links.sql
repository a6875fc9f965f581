
  CREATE TABLE buyer_links (
    digest TEXT PRIMARY KEY,
    entitlement_id TEXT NOT NULL,
    app_key_id TEXT,
    return_url TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX buyer_links_entitlement ON buyer_links (entitlement_id, created_at);
  CREATE INDEX buyer_links_end ON buyer_links (expires_at);
  