import { createIndexes, type Indexes, type Migration } from './released/migration.ts';

/** Each link is stored under the digest of its token. The indexes find those of an entitlement, and the ended ones. */
export const linkIndexes: Indexes = {
  buyer_links: [
    { name: 'entitlement', key: { entitlementId: 1, createdAt: 1 } },
    { name: 'end', key: { expiresAt: 1 } },
  ],
};

export const addBuyerLinks: Migration = {
  name: '023-buyer-links',
  run: (db) => createIndexes(db, linkIndexes),
};
