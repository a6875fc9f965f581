import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { toEntitlementDocument } from '../../../../adapters/mongo/entitlement/entitlement-document.ts';
import { migrateMongoDatabase, openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { nextEventAfter } from '../../../../adapters/mongo/schema/migrations/006-events.ts';
import { nextTransition } from '../../../../core/entitlement/event/change-record.ts';
import { aCall, aSubscription, later } from '../../../support/builders.ts';
import { TestCommandLine } from '../../../support/cli/command-line.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { entitlementsOfEarlierSchemas, span } from '../../../support/random-entitlements.ts';
import { range } from '../../../support/range.ts';

interface Document {
  readonly _id: string;
  readonly nextEventAt?: Date | null;
}

describe('the migration of a MongoDB store to events', () => {
  let url: string;
  let client: MongoClient;

  beforeEach(async () => {
    url = await ownDatabaseUrl();
    client = await new MongoClient(url).connect();
    await (await openMongoDatabase(url, { create: true }, aCall())).close();
    const db = client.db();
    await db.collection('schema').updateOne({}, { $set: { version: 5 } });
    for (const index of ['outbox', 'next_event']) await db.collection('entitlements').dropIndex(index);
  });
  afterEach(() => client.close());

  it('finds the next change by the clock as the core does', async () => {
    const made = fc.sample(entitlementsOfEarlierSchemas, 3000).map((each, index) => ({ ...each, id: `ent_${index}` }));
    const stored = client.db().collection<Document>('entitlements');
    await stored.insertMany(made.map(toEntitlementDocument));
    const now = later(span / 3);
    await stored.updateMany({}, [{ $set: { nextEventAt: nextEventAfter(now) } }]);
    const expected = new Map(made.map((each) => [each.id, nextTransition(each, now)]));
    const found = await stored.find().toArray();
    expect(new Map(found.map(({ _id, nextEventAt }) => [_id, nextEventAt]))).to.deep.equal(expected);
    expect(new Set([...expected.values()].map((at) => at === null)).size).to.equal(2);
  });

  it('sets it in every slice, and leaves alone what is set', async () => {
    const end = new Date(Date.now() + 86_400_000);
    const period = { currentPeriodEnd: end, graceUntil: new Date(end.getTime() + 1) };
    const made = range(2500).map((index) => toEntitlementDocument(aSubscription({ id: `ent_${index}`, ...period })));
    const stored = client.db().collection<Document>('entitlements');
    await stored.insertMany(made);
    await stored.updateMany({}, { $unset: { nextEventAt: 1, sequence: 1 } });
    await stored.insertOne(toEntitlementDocument(aSubscription({ id: 'set', nextEventAt: later(5) })));
    await migrateMongoDatabase(url, {}, aCall());
    expect(await stored.countDocuments({ nextEventAt: end })).to.equal(2500);
    expect((await stored.findOne({ _id: 'set' }))?.nextEventAt).to.deep.equal(later(5));
    await (await openMongoDatabase(url, { create: false }, aCall())).close();
  });

  it('is refused while another process is connected, unless it is forced', async () => {
    const older = await new MongoClient(url, { appName: 'latchkey' }).connect();
    const line = new TestCommandLine();
    const refused = await line.run(['store', 'migrate', '--store', url]);
    expect(refused.exitCode).to.equal(1);
    expect(refused.stderr).to.match(
      /^Latchkey has \d+ open connections? to this MongoDB server \(from [\d.]+\)\. Stop /,
    );
    const forced = await line.run(['store', 'migrate', '--force', '--store', url]);
    expect(forced.exitCode).to.equal(0);
    // There is nothing left to do that the other process could damage.
    expect((await line.run(['store', 'migrate', '--store', url])).exitCode).to.equal(0);
    await older.close();
  });

  it('goes on when that process stops a moment later', async () => {
    const older = await new MongoClient(url, { appName: 'latchkey' }).connect();
    const migrated = new TestCommandLine().run(['store', 'migrate', '--store', url]);
    await wait(500);
    await older.close();
    expect((await migrated).exitCode).to.equal(0);
  });
});
