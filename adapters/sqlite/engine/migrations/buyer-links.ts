import type { Migration } from './released/migration.ts';

/** The links of buyers, each under the digest of its token. The indexes find those of an entitlement, and the ended ones. */
export const buyerLinks: Migration = {
  name: '034-buyer-links',
  sql: `
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
  `,
};

/** Which links are in mails of lost keys. Those of an earlier schema count as others. */
export const linksOfLostKeys: Migration = {
  name: '037-links-of-lost-keys',
  sql: 'ALTER TABLE buyer_links ADD COLUMN for_lost_keys INTEGER NOT NULL DEFAULT 0;',
};
