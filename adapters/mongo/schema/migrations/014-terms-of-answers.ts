import type { Db } from 'mongodb';
import { updateEntitlements } from './added-member.ts';
import type { Migration } from './released/migration.ts';

/** What a record of an earlier release lacks, as its entitlement has it now. A record that has it keeps its own. */
const withTerms = {
  $mergeObjects: [
    { tier: '$tierId', name: '$tierName', every: '$billingInterval', count: { $ifNull: ['$billingIntervalCount', 1] } },
    '$$this',
  ],
};

const lacksTerms = { records: { $elemMatch: { tier: { $exists: false } } } };

/** Gives each idempotency record that lacks them the tier and the interval of its entitlement. */
export const addTermsOfAnswers: Migration = {
  name: '014-terms-of-answers',
  run: (db: Db) =>
    updateEntitlements(db, lacksTerms, () => ({ $set: { records: { $map: { input: '$records', in: withTerms } } } })),
};
