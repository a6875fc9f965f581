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
