import { expect } from 'chai';
import { aCall, aSubscription, granted } from '../../../support/builders.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { startCuttingProxy, type CuttingProxy } from '../../../support/mongo/cutting-proxy.ts';
import { range } from '../../../support/range.ts';
import { openAt, type OpenedStore } from '../../../support/stores/stores.ts';
import { refusalOf } from '../../../support/thrown.ts';

describe('a command whose connection to MongoDB fails while it is written', () => {
  let proxy: CuttingProxy;
  let store: OpenedStore;

  beforeEach(async () => {
    const direct = new URL(await ownDatabaseUrl());
    proxy = await startCuttingProxy(Number(direct.port));
    store = await openAt(`mongodb://127.0.0.1:${proxy.port}${direct.pathname}?directConnection=true`);
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
  });

  it('is refused with store_unavailable', async () => {
    proxy.resetLong('insert');
    // Eight megabytes, which no buffer between the two takes at once.
    const tierName = 'x'.repeat(8000);
    const many = granted(range(1000).map((index) => aSubscription({ id: `ent_${index}`, tierName })));
    const refusal = await refusalOf(store.allEntitlements.add(many, aCall()));
    expect(refusal.code).to.equal('store_unavailable');
  });
});
