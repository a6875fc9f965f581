import type { Db } from 'mongodb';
import { createIndexes, type Indexes, type Migration } from './released/migration.ts';

export const tierIndexes: Indexes = {
  tiers: [
    /** Finds the events that wait for the relay. Partial, so that it has keys of those only. */
    {
      name: 'outbox',
      key: { 'outbox.told': 1 },
      partialFilterExpression: { 'outbox.told': { $exists: true } },
    },
  ],
};

export const addTiers: Migration = {
  name: '021-tiers',
  // A release before knows no features, reads no own limit of "unlimited", and moves no events of tiers.
  isExclusive: true,
  run: (db: Db) => createIndexes(db, tierIndexes),
};
