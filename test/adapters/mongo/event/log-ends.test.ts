import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { toBatchOfOne } from '../../../../adapters/mongo/event/event-document.ts';
import { MongoEvents } from '../../../../adapters/mongo/event/mongo-events.ts';
import { openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { aCall, anEvent, aSubscription, noon } from '../../../support/builders.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { range } from '../../../support/range.ts';

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
});
