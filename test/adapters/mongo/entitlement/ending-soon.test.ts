import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { aCall, later } from '../../../support/builders.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';

describe('the ends of entitlements that no event has announced, on MongoDB', () => {
  it('are found by an index', async () => {
    const url = await ownDatabaseUrl();
    await (await openMongoDatabase(url, { create: true }, aCall())).close();
    const client = await new MongoClient(url).connect();
    const filter = { untoldEnd: { $type: 'date', $lte: later(1) }, 'hold.kind': 'none' } as const;
    const found = client.db().collection('entitlements').find(filter).sort({ untoldEnd: 1 }).limit(9);
    const plan = JSON.stringify(await found.explain('queryPlanner'));
    await client.close();
    expect(plan).to.include('"indexName":"untold_end"').and.not.include('"SORT"');
  });
});
