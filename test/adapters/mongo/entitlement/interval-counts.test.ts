import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { toEntitlementDocument } from '../../../../adapters/mongo/entitlement/entitlement-document.ts';
import { fromLogEntry, toBatchOfOne } from '../../../../adapters/mongo/event/event-document.ts';
import { migrateMongoDatabase, openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { aCall, anEvent, aOneTimePurchase, aSubscription, noon } from '../../../support/builders.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { openAt } from '../../../support/stores/stores.ts';
import { entitlementsIn } from '../../../support/stores/whole-lists.ts';

const older = { productId: 'prod_1', position: 1, storedAt: noon };

describe('a MongoDB store of a release that did not count intervals', () => {
  it('has subscriptions of one interval, and purchases without a count', async () => {
    const url = await ownDatabaseUrl();
    await (await openMongoDatabase(url, { create: true }, aCall())).close();
    const client = await new MongoClient(url).connect();
    const db = client.db();
    await db.collection('schema').updateOne({}, { $set: { version: 8 } });
    const stored = [aSubscription(), aOneTimePurchase()];
    const entitlements = db.collection<{ readonly _id: string }>('entitlements');
    await entitlements.insertMany(stored.map(toEntitlementDocument));
    await entitlements.updateMany({}, { $unset: { billingIntervalCount: '' } });
    await client.close();
    await migrateMongoDatabase(url, {}, aCall());
    const store = await openAt(url);
    expect(await entitlementsIn(store)).to.deep.equal(stored);
    await store.close();
  });

  it('has events of one interval', () => {
    const event = anEvent(aSubscription());
    const [entry] = toBatchOfOne({ ...older, event }).events;
    expect(entry).not.to.have.property('times');
    expect(entry && fromLogEntry(entry, 'prod_1', 1).event).to.deep.equal(event);
  });
});
