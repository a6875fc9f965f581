import { expect } from 'chai';
import * as fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { toEntitlementDocument } from '../../../../adapters/mongo/entitlement/entitlement-document.ts';
import { migrateMongoDatabase, openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { untoldEndAt } from '../../../../adapters/mongo/schema/migrations/011-ending-soon.ts';
import { unannouncedEndAfter } from '../../../../core/entitlement/event/ending-soon.ts';
import { aCall, aSubscription, later } from '../../../support/builders.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { entitlementsOfEarlierSchemas, span } from '../../../support/random-entitlements.ts';
import { range } from '../../../support/range.ts';

interface Document {
  readonly _id: string;
  readonly untoldEnd?: Date | null;
}

describe('the migration of a MongoDB store to ends that are announced', () => {
  let url: string;
  let client: MongoClient;

  beforeEach(async () => {
    url = await ownDatabaseUrl();
    client = await new MongoClient(url).connect();
    await (await openMongoDatabase(url, { create: true }, aCall())).close();
    await client
      .db()
      .collection('schema')
      .updateOne({}, { $set: { version: 9 } });
    await client.db().collection('entitlements').dropIndex('untold_end');
  });
  afterEach(() => client.close());

  it('finds the end that no event has announced as the core does', async () => {
    const made = fc.sample(entitlementsOfEarlierSchemas, 3000).map((each, index) => ({ ...each, id: `ent_${index}` }));
    const stored = client.db().collection<Document>('entitlements');
    await stored.insertMany(made.map(toEntitlementDocument));
    const now = later(span / 3);
    await stored.updateMany({}, [{ $set: { untoldEnd: untoldEndAt(now) } }]);
    const expected = new Map(made.map((each) => [each.id, unannouncedEndAfter(each, false, each, now)]));
    const found = await stored.find().toArray();
    expect(new Map(found.map(({ _id, untoldEnd }) => [_id, untoldEnd]))).to.deep.equal(expected);
    expect(new Set([...expected.values()].map((at) => at === null)).size).to.equal(2);
  });

  it('sets it in every slice, and finds it by an index', async () => {
    const graceUntil = new Date(Date.now() + 86_400_000);
    const made = range(1500).map((index) => toEntitlementDocument(aSubscription({ id: `ent_${index}`, graceUntil })));
    const stored = client.db().collection<Document>('entitlements');
    await stored.insertMany(made);
    await stored.updateMany({}, { $unset: { untoldEnd: 1 } });
    await migrateMongoDatabase(url, {}, aCall());
    expect(await stored.countDocuments({ untoldEnd: graceUntil })).to.equal(1500);
    await (await openMongoDatabase(url, { create: false }, aCall())).close();
    const filter = { untoldEnd: { $type: 'date', $lte: graceUntil }, 'hold.kind': 'none' } as const;
    const plan = await stored.find(filter).sort({ untoldEnd: 1 }).limit(9).explain('queryPlanner');
    expect(JSON.stringify(plan)).to.include('"indexName":"untold_end"').and.not.include('"SORT"');
  });
});
