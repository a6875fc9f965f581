import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { startServerProcess, type ServerProcess } from '../../support/processes/server-process.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { fillStore } from '../../support/stores/filled-store.ts';
import { mongo, type StoreAddress } from '../../support/stores/stores.ts';
import { violations } from '../../support/workload/history.ts';
import { HttpTraffic } from '../../support/workload/http-traffic.ts';

const appKey = 'svc_sk_live_of-the-test-of-two-processes';

/** The entitlements of each test. */
const changed = idsOf('changed', rounds(20, 250));
const unchanged = idsOf('unchanged', rounds(10, 50));
const busy = ['busy'];

describe('two processes on one MongoDB', () => {
  let store: StoreAddress;
  let servers: readonly ServerProcess[] = [];

  before(async () => {
    store = await mongo.address();
    await fillStore(store.url, appKey, [...changed, ...unchanged, ...busy]);
    servers = await Promise.all(range(2).map(() => startServerProcess(store.url)));
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await store.remove();
  });

  it(`carry out one of eight equal requests and record it once, in ${changed.length} rounds beside other requests`, async () => {
    const traffic = trafficOn(changed);
    const before = await traffic.read();
    for (const entitlementId of changed) {
      const change = { entitlementId, operation: 'cancel', key: `key-of-${entitlementId}` } as const;
      // The other requests make it possible that a process reads a state that already has the record.
      await Promise.all([
        ...range(8).map((index) => traffic.settle(change, urlAt(index))),
        ...range(3).map((index) =>
          traffic.settle({ ...change, key: `another-${entitlementId}-${index}` }, urlAt(index)),
        ),
      ]);
    }
    expect(violations({ before, attempts: traffic.attempts, after: await traffic.read() })).to.deep.equal([]);
    expect(await recordCounts(changed)).to.deep.equal([{ records: 4, entitlements: changed.length }]);
  });

  it('record one of two equal requests that change nothing', async () => {
    const traffic = trafficOn(unchanged);
    const before = await traffic.read();
    for (const entitlementId of unchanged) {
      const change = { entitlementId, operation: 'resume', key: `key-of-${entitlementId}` } as const;
      await Promise.all(range(2).map((index) => traffic.settle(change, urlAt(index))));
    }
    expect(violations({ before, attempts: traffic.attempts, after: await traffic.read() })).to.deep.equal([]);
    expect(await recordCounts(unchanged)).to.deep.equal([{ records: 1, entitlements: unchanged.length }]);
  });

  it('carry out fifty requests for one entitlement one by one', async () => {
    const traffic = trafficOn(busy);
    const before = await traffic.read();
    const requests = range(50).map((index) => {
      const operation = index % 4 < 2 ? 'cancel' : 'resume';
      return traffic.settle({ entitlementId: 'busy', operation, key: `key-number-${index}` }, urlAt(index));
    });
    await Promise.all(requests);
    expect(violations({ before, attempts: traffic.attempts, after: await traffic.read() })).to.deep.equal([]);
    expect(await recordCounts(busy)).to.deep.equal([{ records: 50, entitlements: 1 }]);
  });

  function trafficOn(ids: readonly string[]): HttpTraffic {
    return new HttpTraffic(appKey, ids, () => servers.map(({ url }) => url));
  }

  function urlAt(index: number): string {
    return servers[index % 2]?.url ?? '';
  }

  /** Counts these entitlements by their number of records. */
  async function recordCounts(ids: readonly string[]): Promise<readonly unknown[]> {
    const client = new MongoClient(store.url);
    const counts = await client
      .db()
      .collection<{ readonly _id: string }>('entitlements')
      .aggregate([
        { $match: { _id: { $in: ids } } },
        { $group: { _id: { $size: { $ifNull: ['$records', []] } }, entitlements: { $sum: 1 } } },
        { $project: { _id: 0, records: '$_id', entitlements: 1 } },
      ])
      .toArray();
    await client.close();
    return counts;
  }
});

function idsOf(name: string, count: number): readonly string[] {
  return range(count).map((index) => `${name}_${index}`);
}
