import { createIndexes, type Indexes, type Migration } from './released/migration.ts';

/** Each session is stored under the digest of its token. The indexes find those that have ended. */
export const sessionIndexes: Indexes = {
  operator_sessions: [
    { name: 'age', key: { createdAt: 1 } },
    { name: 'use', key: { lastUsedAt: 1 } },
  ],
};

export const addOperatorSessions: Migration = {
  name: '009-operator-sessions',
  run: (db) => createIndexes(db, sessionIndexes),
};

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
