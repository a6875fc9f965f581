import { expect } from 'chai';
import { startCuttingProxy, type CuttingProxy } from '../../../support/mongo/cutting-proxy.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { openAt, type OpenedStore } from '../../../support/stores/stores.ts';
import { violations } from '../../../support/workload/history.ts';
import { Traffic } from '../../../support/workload/traffic.ts';

const change = { entitlementId: 'ent_0', operation: 'cancel', key: 'key-00000001' } as const;

describe('a change whose reply from MongoDB is lost', () => {
  let proxy: CuttingProxy;
  let store: OpenedStore;
  let traffic: Traffic;

  beforeEach(async () => {
    const direct = new URL(await ownDatabaseUrl());
    proxy = await startCuttingProxy(Number(direct.port));
    store = await openAt(`mongodb://127.0.0.1:${proxy.port}${direct.pathname}?directConnection=true`);
    traffic = new Traffic(1);
    await traffic.begin(store);
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
  });

  it('succeeds, because it is sent again and recognizes itself', async () => {
    proxy.cutRepliesTo('update', 1);
    expect(await traffic.send(store, change)).to.equal(true);
    const history = await traffic.history(store);
    expect(violations(history)).to.deep.equal([]);
    expect(history.attempts.at(-1)?.outcome).to.include({ replayed: false });
  });

  it('has one effect when the second reply is lost as well and the client tries again', async () => {
    proxy.cutRepliesTo('update', 2);
    expect(await traffic.send(store, change)).to.equal(false);
    await traffic.settle(store, change);
    const history = await traffic.history(store);
    expect(violations(history)).to.deep.equal([]);
    expect(history.attempts.at(-1)?.outcome).to.include({ kind: 'success', replayed: true });
    expect(history.after.map(({ version }) => version)).to.deep.equal([2]);
  });
});
