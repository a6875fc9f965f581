import type { Db } from 'mongodb';
import { createIndexes, type Indexes, type Migration } from './released/migration.ts';

/** How long the document of a device that has lost its seat keeps late moves from reviving it, in seconds. */
const goneFor = 86_400;

export const deviceIndexes: Indexes = {
  devices: [
    { name: 'seen', key: { of: 1, gone: 1, seen: 1, id: 1 } },
    { name: 'gone', key: { gone: 1 }, expireAfterSeconds: goneFor },
  ],
  entitlements: [
    /** Finds the moves of devices that wait. Partial, so that it has keys of those only. */
    { name: 'moves', key: { 'moves.n': 1 }, partialFilterExpression: { 'moves.n': { $exists: true } } },
  ],
};

export const addDevices: Migration = {
  name: '019-devices',
  // A cancellation by an older release drops the moves of the entitlement.
  isExclusive: true,
  run: (db: Db) => createIndexes(db, deviceIndexes),
};
