import type { Db, Document } from 'mongodb';
import { addToEntitlements } from './added-member.ts';
import { createIndexes, type Indexes, type Migration } from './released/migration.ts';

export const eventIndexes: Indexes = {
  entitlements: [
    /** Finds the events that wait for the relay. Partial, so that it has keys of those only. */
    {
      name: 'outbox',
      key: { 'outbox.told': 1 },
      partialFilterExpression: { 'outbox.told': { $exists: true } },
    },

    /** Finds what the clock has changed. */
    {
      name: 'next_event',
      key: { nextEventAt: 1 },
      partialFilterExpression: { nextEventAt: { $type: 'date' } },
    },
  ],
};

const end = { $min: ['$graceUntil', '$cancellation.at'] };

/** The next change by the clock after an instant, by the rules of `nextTransition`. */
export function nextEventAfter(now: Date): Document {
  const neverChanges = {
    $or: [{ $eq: ['$kind', 'one_time'] }, { $eq: ['$hold.kind', 'revoked'] }, { $lte: [end, now] }],
  };
  const becomesPastDue = {
    $and: [
      { $eq: ['$hold.kind', 'none'] },
      { $ne: ['$standing', 'past_due'] },
      { $gt: ['$currentPeriodEnd', now] },
      { $lt: ['$currentPeriodEnd', end] },
    ],
  };
  return { $cond: [neverChanges, null, { $cond: [becomesPastDue, '$currentPeriodEnd', end] }] };
}

/**
 * Sets the next change by the clock of every entitlement, slice by slice. What the clock did before has no events: they
 * begin with this schema.
 */
export const addEvents: Migration = {
  name: '006-events',
  // An older release writes a document as it has read it, with events that have been moved since.
  isExclusive: true,
  async run(db: Db) {
    await createIndexes(db, eventIndexes);
    await addToEntitlements(db, 'nextEventAt', nextEventAfter);
  },
};
