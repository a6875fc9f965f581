import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { toBatchOfOne } from '../../../../adapters/mongo/event/event-document.ts';
import { MongoEvents } from '../../../../adapters/mongo/event/mongo-events.ts';
import { migrateMongoDatabase, openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { MongoDeliveryStreams } from '../../../../adapters/mongo/webhook/mongo-delivery-streams.ts';
import { MongoWebhookEndpoints } from '../../../../adapters/mongo/webhook/mongo-webhook-endpoints.ts';
import { aCall, anEvent, aSubscription, noon } from '../../../support/builders.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { range } from '../../../support/range.ts';
import { anEndpoint, aStream } from '../../../support/webhooks/builders.ts';

interface Document {
  readonly _id: string;
}

describe('the ends of the logs of a MongoDB store', () => {
  const event = anEvent(aSubscription({ sequence: 1 }), { id: 'evt_1' });
  const batches = range(2000).map((index) => {
    const [productId, position] = index < 1990 ? ['prod_1', index + 1] : ['prod_2', index - 1989];
    return toBatchOfOne({ productId, position, storedAt: noon, event });
  });
  const ends = new Map([
    ['prod_1', 1990],
    ['prod_2', 10],
  ]);
  let url: string;
  let client: MongoClient;
  let database: MongoDatabase;

  beforeEach(async () => {
    url = await ownDatabaseUrl();
    client = await new MongoClient(url).connect();
    database = await openMongoDatabase(url, { create: true }, aCall());
    await client.db().collection<Document>('events').insertMany(batches);
  });
  afterEach(async () => {
    await database.close();
    await client.close();
  });

  it('are found without reading the logs', async () => {
    const db = client.db();
    await db.command({ profile: 2 });
    expect(await new MongoEvents(database).lastPositions(['prod_', 'prod_1', 'prod_2'], aCall())).to.deep.equal(ends);
    await db.command({ profile: 0 });
    const [look] = await db.collection('system.profile').find({ 'command.aggregate': 'events' }).toArray();
    expect(look?.['docsExamined']).to.equal(0);
    expect(look?.['keysExamined']).to.be.below(10);
  });

  it('are added by the migration of a store whose batches lack them, and the additions of endpoints', async () => {
    const db = client.db();
    await new MongoWebhookEndpoints(database).add(anEndpoint(), aCall());
    await new MongoDeliveryStreams(database).add([aStream({ addition: '' })], aCall());
    await database.close();
    await db.collection('events').updateMany({}, { $unset: { productId: 1, last: 1 } });
    for (const name of ['webhook_endpoints', 'delivery_streams']) {
      await db.collection(name).updateMany({}, { $unset: { addition: 1 } });
    }
    await db.collection('events').dropIndex('log_end');
    await db.collection('schema').updateOne({}, { $set: { version: 6 } });
    await migrateMongoDatabase(url, {}, aCall());
    database = await openMongoDatabase(url, { create: false }, aCall());
    expect(await new MongoEvents(database).lastPositions(['prod_1', 'prod_2'], aCall())).to.deep.equal(ends);
    expect(await db.collection<Document>('events').find().sort({ _id: 1 }).toArray()).to.deep.equal(batches);
    const endpoint = anEndpoint({ addition: '' });
    expect(await new MongoWebhookEndpoints(database).find('whk_1', aCall())).to.deep.equal(endpoint);
    const stream = aStream({ addition: '' });
    expect(await new MongoDeliveryStreams(database).find(stream, aCall())).to.deep.equal(stream);
  });
});
