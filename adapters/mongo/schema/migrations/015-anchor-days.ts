import type { Db } from 'mongodb';
import { updateEntitlements } from './added-member.ts';
import type { Migration } from './released/migration.ts';

const dayLength = 86_400_000;
const startDay = { $dayOfMonth: '$currentPeriodStart' };
const endsOnLastDay = { $eq: [{ $dayOfMonth: { $add: ['$currentPeriodEnd', dayLength] } }, 1] };
const endsAtSameTime = {
  $eq: [{ $mod: [{ $subtract: ['$currentPeriodEnd', '$currentPeriodStart'] }, dayLength] }, 0],
};

/** The anchor day of a period, by the rule of `anchorDayOf`. */
export const anchorDay = {
  $cond: [
    { $and: [endsAtSameTime, endsOnLastDay, { $lt: [{ $dayOfMonth: '$currentPeriodEnd' }, startDay] }] },
    startDay,
    null,
  ],
};

const lacksDay = { billingInterval: { $in: ['month', 'year'] }, anchorDay: { $exists: false } };

/** Sets from which day of the month later periods are counted. A subscription without it is on its own day. */
export const addAnchorDays: Migration = {
  name: '015-anchor-days',
  run: (db: Db) => updateEntitlements(db, lacksDay, () => ({ $set: { anchorDay } })),
};
