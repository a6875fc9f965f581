import type { Db } from 'mongodb';
import { createIndexes, type Indexes, type Migration } from './released/migration.ts';

export const logIndexes: Indexes = {
  /** Finds the last positions of many logs at once. */
  events: [{ name: 'log_end', key: { productId: 1, last: 1 } }],
};

/**
 * Names the product and the last position in every batch of events, and the addition of endpoints and their streams: those
 * of earlier schemas have the empty name.
 */
export const indexEndsOfLogs: Migration = {
  name: '007-ends-of-logs',
  // An older release writes batches without them, and looks for the streams of new endpoints under other names.
  isExclusive: true,
  async run(db: Db) {
    const last = { $add: ['$first', { $size: '$events' }, -1] };
    const productId = { $first: { $split: ['$_id', ' '] } };
    await db.collection('events').updateMany({ last: { $exists: false } }, [{ $set: { productId, last } }]);
    for (const collection of ['webhook_endpoints', 'delivery_streams']) {
      await db.collection(collection).updateMany({ addition: { $exists: false } }, { $set: { addition: '' } });
    }
    await createIndexes(db, logIndexes);
  },
};
