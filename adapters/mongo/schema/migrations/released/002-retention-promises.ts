import type { Db } from 'mongodb';
import type { Migration } from './migration.ts';

/**
 * Records that were made before count as promised for the default of 72 h and one hour, because the store did not keep
 * the setting of its servers.
 */
export const keepRetentionPromises: Migration = {
  name: '002-retention-promises',
  async run(db: Db) {
    const holder = await db.collection('entitlements').findOne({ 'records.0': { $exists: true } });
    if (holder === null) return;
    const _id = 73 * 3_600_000;
    const promises = db.collection<{ readonly _id: number }>('retention_promises');
    await promises.updateOne({ _id }, { $max: { until: new Date() } }, { upsert: true });
  },
};
