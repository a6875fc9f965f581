import type { Db, Document } from 'mongodb';
import { addToEntitlements } from './added-member.ts';
import { createIndexes, type Indexes, type Migration } from './released/migration.ts';

export const endingIndexes: Indexes = {
  entitlements: [
    /** Finds the ends that no event has announced. */
    {
      name: 'untold_end',
      key: { untoldEnd: 1 },
      partialFilterExpression: { untoldEnd: { $type: 'date' }, 'hold.kind': 'none' },
    },
  ],
};

/** The end of access by the clock after an instant, by the rules of `endingOf`. */
export function untoldEndAt(now: Date): Document {
  const end = { $min: ['$graceUntil', '$cancellation.at'] };
  const neverEnds = {
    $or: [{ $eq: ['$kind', 'one_time'] }, { $eq: ['$hold.kind', 'revoked'] }, { $lte: [end, now] }],
  };
  return { $cond: [neverEnds, null, end] };
}

/** Sets the end that has no event of every entitlement. An end that is near when the schema changes is announced then. */
export const addUntoldEnds: Migration = {
  name: '011-ending-soon',
  async run(db: Db) {
    await createIndexes(db, endingIndexes);
    await addToEntitlements(db, 'untoldEnd', untoldEndAt);
  },
};
