import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { violations } from '../../support/history.ts';
import { freshDatabase } from '../../support/mongodb.ts';
import { numbers } from '../../support/outcomes.ts';
import { openMongoStore, type OpenedStore } from '../../support/stores.ts';
import { Traffic } from '../../support/traffic.ts';

describe('two processes on one MongoDB', function () {
  this.timeout(60_000);
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let stores: readonly OpenedStore[] = [];

  beforeEach(async () => {
    database = await freshDatabase();
    const { url } = database;
    stores = [await openMongoStore(url), await openMongoStore(url)];
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await database.remove();
  });

  it('carry one of eight equal requests out and record it once, in 250 rounds among others', async () => {
    const traffic = new Traffic(250);
    await traffic.begin(storeAt(0));
    for (const entitlementId of traffic.ids) {
      const change = { entitlementId, operation: 'cancel', key: `key-of-${entitlementId}` } as const;
      const other = { ...change, key: `another-${entitlementId}` };
      // Where the entitlement moves meanwhile, a process may read a state that has the record already.
      await Promise.all([
        ...numbers(8).map((index) => traffic.send(storeAt(index), change)),
        ...numbers(3).map((index) => traffic.send(storeAt(index), { ...other, key: `${other.key}-${index}` })),
      ]);
    }
    expect(violations(await traffic.history(storeAt(0)))).to.deep.equal([]);
    expect(traffic.successes).to.equal(11 * 250);
    expect(await recordCounts()).to.deep.equal([{ records: 4, entitlements: 250 }]);
  });

  it('record one of two equal requests that change nothing', async () => {
    const traffic = new Traffic(50);
    await traffic.begin(storeAt(0));
    for (const entitlementId of traffic.ids) {
      const change = { entitlementId, operation: 'resume', key: `key-of-${entitlementId}` } as const;
      await Promise.all(numbers(2).map((index) => traffic.send(storeAt(index), change)));
    }
    expect(violations(await traffic.history(storeAt(0)))).to.deep.equal([]);
    expect(await recordCounts()).to.deep.equal([{ records: 1, entitlements: 50 }]);
  });

  it('carry fifty requests for one entitlement out, one after the other', async () => {
    const traffic = new Traffic(1);
    await traffic.begin(storeAt(0));
    await Promise.all(
      numbers(50).map((index) =>
        traffic.send(storeAt(index), {
          entitlementId: 'ent_0',
          operation: index % 4 < 2 ? 'cancel' : 'resume',
          key: `key-number-${index}`,
        }),
      ),
    );
    expect(traffic.successes).to.equal(50);
    expect(violations(await traffic.history(storeAt(0)))).to.deep.equal([]);
    expect(await recordCounts()).to.deep.equal([{ records: 50, entitlements: 1 }]);
  });

  function storeAt(index: number): OpenedStore {
    const store = stores[index % 2];
    if (store === undefined) throw new Error('the stores are open during a test only');
    return store;
  }

  /** How many entitlements have how many records. */
  async function recordCounts(): Promise<readonly unknown[]> {
    const client = new MongoClient(database.url);
    const counts = await client
      .db()
      .collection('entitlements')
      .aggregate([
        { $group: { _id: { $size: { $ifNull: ['$records', []] } }, entitlements: { $sum: 1 } } },
        { $project: { _id: 0, records: '$_id', entitlements: 1 } },
      ])
      .toArray();
    await client.close();
    return counts;
  }
});
