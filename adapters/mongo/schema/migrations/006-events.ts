import type { Db, Document } from 'mongodb';
import { createIndexes, type Indexes, type Migration } from './migration.ts';

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

/** Entitlements of one write: about a tenth of a second for the server. */
const sliceSize = 1000;

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
    const entitlements = db.collection<{ readonly _id: string }>('entitlements');
    let last = '';
    for (;;) {
      const slice = { _id: { $gt: last } };
      const found = await entitlements
        .find(slice, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .limit(sliceSize)
        .toArray();
      const ids = found.map(({ _id }) => _id);
      const filter = { _id: { $in: ids }, nextEventAt: { $exists: false } };
      await entitlements.updateMany(filter, [{ $set: { nextEventAt: nextEventAfter(new Date()) } }]);
      if (ids.length < sliceSize) return;
      last = ids.at(-1) ?? last;
    }
  },
};
