import { createIndexes, type Indexes, type Migration } from './released/migration.ts';

/** The index lists the oldest cases first. */
export const caseIndexes: Indexes = {
  stripe_cases: [{ name: 'age', key: { since: 1, sale: 1, kind: 1 } }],
};

export const addStripeCases: Migration = {
  name: '018-stripe-cases',
  run: (db) => createIndexes(db, caseIndexes),
};
