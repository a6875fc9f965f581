import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { toEntitlementDocument } from '../../../../adapters/mongo/entitlement/entitlement-document.ts';
import { migrateMongoDatabase, openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { migrations } from '../../../../adapters/mongo/schema/migrations/migrations.ts';
import { aCall } from '../../../support/builders.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { sampleWithPeriods } from '../../../support/random-entitlements.ts';
import { openAt } from '../../../support/stores/stores.ts';
import { entitlementsIn } from '../../../support/stores/whole-lists.ts';

describe('the migration of a MongoDB store to anchor days', () => {
  it('finds the day from which later periods are counted as the core does', async () => {
    const made = sampleWithPeriods(1500).map((each, index) => ({ ...each, id: `ent_${10_000 + index}` }));
    const url = await ownDatabaseUrl();
    await (await openMongoDatabase(url, { create: true }, aCall())).close();
    const client = await new MongoClient(url).connect();
    const entitlements = client.db().collection<{ readonly _id: string }>('entitlements');
    await entitlements.insertMany(made.map(toEntitlementDocument));
    await entitlements.updateMany({}, { $unset: { anchorDay: '' } });
    const version = migrations.findIndex(({ name }) => name === '015-anchor-days');
    await client.db().collection('schema').updateOne({}, { $set: { version } });
    await client.close();
    await migrateMongoDatabase(url, {}, aCall());
    const store = await openAt(url);
    expect(await entitlementsIn(store)).to.deep.equal(made);
    expect(made.map(({ anchorDay }) => anchorDay)).to.include.members([null, 30, 31]);
    await store.close();
  });
});
