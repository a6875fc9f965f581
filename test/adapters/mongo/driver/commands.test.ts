import { expect } from 'chai';
import { BSON, MongoClient, type Db } from 'mongodb';
import { defaultTtl, retentionFor } from '../../../../core/entitlement/idempotency/retention.ts';
import {
  aCall,
  aChangeRecord,
  aLicense,
  anAppKey,
  aRecord,
  aSubscription,
  changed,
  day,
  granted,
  later,
} from '../../../support/builders.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { range } from '../../../support/range.ts';
import { openAt, type OpenedStore } from '../../../support/stores/stores.ts';
import { Traffic } from '../../../support/workload/traffic.ts';

const profiled = 'system.profile';

/** The commands that the server receives, by its own profiler. */
describe('the store on MongoDB', () => {
  let client: MongoClient;
  let database: Db;
  let store: OpenedStore;

  beforeEach(async () => {
    const url = await ownDatabaseUrl();
    store = await openAt(url, retentionFor(defaultTtl), { serves: true });
    client = await new MongoClient(url).connect();
    database = client.db();
  });
  afterEach(async () => {
    await store.close();
    await client.close();
  });

  it('sends one query of each kind for two hundred look-ups that arrive together', async () => {
    const many = range(200).map((index) =>
      aSubscription({ id: `ent_${index}`, license: aLicense({ digest: `digest-${index}` }) }),
    );
    await store.allEntitlements.add(granted(many), aCall());
    await store.allAppKeys.add(anAppKey(), aCall());
    const asked = await profile(async () => {
      await Promise.all(many.map(({ id }) => store.entitlements.find(id, 'prod_1', aCall())));
      await Promise.all(many.map(({ license }) => store.licenses.find(license?.digest ?? '', aCall())));
      await Promise.all(many.map(() => store.appKeys.find(anAppKey().digest, aCall())));
      await Promise.all(many.map(({ id }) => store.idempotencyRecords.find('prod_1', `key-of-${id}`, aCall())));
    });
    expect(asked.map(({ op, ns }) => `${op} ${ns}`)).to.deep.equal([
      'query entitlements',
      'query entitlements',
      'query app_keys',
      'query entitlements',
    ]);
    expect(asked.map(({ docsExamined, nreturned }) => docsExamined === nreturned)).to.deep.equal(asked.map(() => true));
  });

  it('sends one command for changes that arrive together, and no query if all were applied', async () => {
    const many = range(20).map((index) => aSubscription({ id: `ent_${index}` }));
    await store.allEntitlements.add(granted(many), aCall());
    const { commands } = await counted(async () => {
      const written = many.map((seen) =>
        store.entitlements.replace(
          seen,
          changed(seen),
          aRecord(seen, { key: `key-of-${seen.id}` }),
          aChangeRecord(changed(seen)),
          aCall(),
        ),
      );
      await Promise.all(written);
    });
    expect(commands).to.deep.equal({ update: 1, find: 0 });
  });

  it('sends fifty statements for fifty changes of one entitlement at once', async () => {
    const traffic = new Traffic(1);
    await traffic.begin(store);
    const asked = await profile(async () => {
      const change = { entitlementId: 'ent_0', operation: 'cancel' } as const;
      await Promise.all(range(50).map((index) => traffic.settle(store, { ...change, key: `key-number-${index}` })));
    });
    expect(asked.filter(({ op }) => op === 'update').length).to.equal(50);
  });

  it('never reads the records of an entitlement with it', async () => {
    const entitlement = aSubscription({ license: aLicense() });
    await store.allEntitlements.add(granted([entitlement]), aCall());
    let seen = entitlement;
    for (const index of range(100)) {
      await store.entitlements.replace(
        seen,
        changed(seen),
        aRecord(seen, { key: `key-number-${index}` }),
        aChangeRecord(changed(seen)),
        aCall(),
      );
      seen = changed(seen);
    }
    const asked = await profile(async () => {
      await store.entitlements.find('ent_1', 'prod_1', aCall());
      await store.licenses.find(entitlement.license?.digest ?? '', aCall());
      await store.allEntitlements.find('ent_1', aCall());
    });
    expect(asked.map(({ responseLength }) => responseLength < 1000)).to.deep.equal([true, true, true]);
  });

  it('removes expired records without reading them', async () => {
    await store.allEntitlements.add(granted([aSubscription()]), aCall());
    let seen = aSubscription();
    for (const index of range(100)) {
      await store.entitlements.replace(
        seen,
        changed(seen),
        aRecord(seen, { key: `key-number-${index}` }),
        aChangeRecord(changed(seen)),
        aCall(),
      );
      seen = changed(seen);
    }
    const asked = await profile(async () => {
      const pruned = await store.maintenance.prune(null, aCall({ now: later(30 * day) }));
      expect(pruned).to.deep.equal({ removed: 100, next: null });
    });
    const ofRecords = asked.filter(({ ns }) => ns === 'entitlements');
    expect(ofRecords.map(({ op }) => op)).to.deep.equal(['query', 'update']);
    expect(ofRecords[0]?.responseLength).to.be.lessThan(1000);
  });

  it('stores a record with a UUID as its key in at most 320 bytes', async () => {
    const seen = aSubscription({ standing: 'past_due' });
    await store.allEntitlements.add(granted([seen]), aCall());
    const record = aRecord(seen, { key: crypto.randomUUID(), correlationId: crypto.randomUUID() });
    const filled = { status: 'suspended', cancelAt: seen.currentPeriodEnd, canceledAt: record.at } as const;
    const largeRecord = { ...record, facts: { ...record.facts, ...filled } };
    await store.entitlements.replace(seen, changed(seen), largeRecord, aChangeRecord(changed(seen)), aCall());
    const document = await database.collection('entitlements').findOne({});
    expect(BSON.calculateObjectSize(document?.['records'][0])).to.be.within(200, 320);
  });

  it('stores instants as dates', async () => {
    await store.allEntitlements.add(granted([aSubscription()]), aCall());
    const [types] = await database
      .collection('entitlements')
      .aggregate([{ $project: { _id: 0, start: { $type: '$currentPeriodStart' }, made: { $type: '$createdAt' } } }])
      .toArray();
    expect(types).to.deep.equal({ start: 'date', made: 'date' });
  });

  /** The operations that the store sends during `work`, in order. */
  async function profile(work: () => Promise<void>): Promise<readonly Operation[]> {
    await database.command({ profile: 2, filter: { appName: 'latchkey' } });
    await work();
    await database.command({ profile: 0 });
    const operations = await database.collection(profiled).find().sort({ ts: 1 }).toArray();
    return operations.map(({ op, ns, docsExamined, nreturned, responseLength }) => {
      return { op, ns: String(ns).split('.').at(-1) ?? '', docsExamined, nreturned, responseLength };
    });
  }

  /** Counts the commands that the server carries out during `work`. */
  async function counted(work: () => Promise<void>): Promise<{ commands: { update: number; find: number } }> {
    const before = await totals();
    await work();
    const after = await totals();
    return { commands: { update: after.update - before.update, find: after.find - before.find } };
  }

  async function totals(): Promise<{ update: number; find: number }> {
    const { metrics } = await client.db('admin').command({ serverStatus: 1 });
    return { update: metrics.commands.update.total, find: metrics.commands.find.total };
  }
});

interface Operation {
  readonly op: string;
  readonly ns: string;
  readonly docsExamined: number;
  readonly nreturned: number;
  readonly responseLength: number;
}
