import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { migrateMongoDatabase, openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { migrations } from '../../../../adapters/mongo/schema/migrations/migrations.ts';
import { migrate } from '../../../../adapters/mongo/schema/schema-version.ts';
import { aCall } from '../../../support/builders.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { range } from '../../../support/range.ts';
import { openAt } from '../../../support/stores/stores.ts';

describe('the migration of a MongoDB store to signing keys', () => {
  let url: string;
  let client: MongoClient;

  beforeEach(async () => {
    url = await ownDatabaseUrl();
    client = await new MongoClient(url).connect();
    await (await openMongoDatabase(url, { create: true }, aCall())).close();
    await client
      .db()
      .collection('schema')
      .updateOne({}, { $set: { version: 7 } });
    await client.db().dropCollection('signing_keys');
  });
  afterEach(() => client.close());

  it('may be run by several processes at once, and leaves a store without any', async () => {
    await Promise.all(range(4).map(() => migrateMongoDatabase(url, {}, aCall())));
    const store = await openAt(url);
    expect(await store.signingKeys.read(aCall())).to.equal(null);
    await store.close();
    const collections = await client.db().listCollections({ name: 'signing_keys' }).toArray();
    expect(collections).to.have.length(1);
  });

  it('may run while a process of the release before is connected', async () => {
    const other = await new MongoClient(url, { appName: 'latchkey' }).connect();
    await other.db().command({ ping: 1 });
    const own = migrations.findIndex(({ name }) => name === '008-signing-keys') + 1;
    await migrate(client.db(), { steps: migrations.slice(0, own) });
    await other.close();
    await migrateMongoDatabase(url, {}, aCall());
    await (await openMongoDatabase(url, { create: false }, aCall())).close();
  });
});
