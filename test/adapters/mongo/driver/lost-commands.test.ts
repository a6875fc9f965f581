import { expect } from 'chai';
import { connectTo } from '../../../../adapters/mongo/driver/connect.ts';
import { asRefusal, isOutOfReach, isTransient } from '../../../../adapters/mongo/driver/errors.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { aCall, aSubscription, granted } from '../../../support/builders.ts';
import { startCuttingProxy, type CuttingProxy } from '../../../support/mongo/cutting-proxy.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { range } from '../../../support/range.ts';
import { openAt, type OpenedStore } from '../../../support/stores/stores.ts';
import { refusalOf } from '../../../support/thrown.ts';

describe('a command whose connection to MongoDB fails while it is written', () => {
  let proxy: CuttingProxy;
  let url: string;
  let store: OpenedStore;

  beforeEach(async () => {
    const direct = new URL(await ownDatabaseUrl());
    proxy = await startCuttingProxy(Number(direct.port));
    url = `mongodb://127.0.0.1:${proxy.port}${direct.pathname}?directConnection=true`;
    store = await openAt(url);
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

  it('ends, as if the connection were lost, where nobody waits for it by a deadline', async () => {
    const database = await connectTo(url, aCall(), { socketTimeoutMS: 500 });
    proxy.stallLong('insert');
    const documents = range(8).map((index) => ({ _id: `batch-${index}`, text: 'x'.repeat(1_000_000) }));
    const outcome = await database
      .writeCommand({ insert: 'events', documents, ordered: false })
      .catch((error: unknown) => error);
    await database.close();
    expect(isTransient(outcome)).to.equal(true);
  });

  it('ends likewise where the server has ended the connection before', () => {
    const error = Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });
    expect([isTransient(error), isOutOfReach(error), asRefusal(error)]).to.deep.equal([
      true,
      true,
      new Refusal('store_unavailable', { cause: error }),
    ]);
  });
});
