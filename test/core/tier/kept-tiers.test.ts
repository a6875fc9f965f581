import { expect } from 'chai';
import { tierIn } from '../../../core/tier/allowance.ts';
import { KeptTiers } from '../../../core/tier/kept-tiers.ts';
import { putTier } from '../../../core/tier/manage-tiers.ts';
import { aCall, aProduct } from '../../support/builders.ts';
import { countingIds } from '../../support/random-entitlements.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';

const call = aCall();
const pro = { productId: 'prod_1', id: 'pro' };

describe('the tiers that a process keeps', () => {
  const store = freshStore(memory.open);
  let now: number;
  let reads: number;

  beforeEach(async () => {
    [now, reads] = [0, 0];
    await store().products.add(aProduct({ id: 'prod_1' }), call);
  });

  /** The tiers as one more process knows them. */
  function process() {
    const tiers = interposed(store().tiers, (method) => void (reads += method === 'all' ? 1 : 0));
    const kept = new KeptTiers(tiers, () => now);
    const put = putTier(kept, store().products, countingIds());
    return {
      put: (deviceLimit: number) => put(pro, { deviceLimit, trial: null, features: {} }, call),
      limit: async () =>
        tierIn(await kept.known(call), { productId: 'prod_1', tierId: 'pro' })?.terms.deviceLimit ?? null,
    };
  }

  it('have its own changes at once, and those of others after ten seconds, without a read for each request', async () => {
    const [own, other] = [process(), process()];
    expect([await own.limit(), await other.limit(), reads]).to.deep.equal([null, null, 2]);
    await own.put(1);
    expect([await own.limit(), await other.limit(), reads]).to.deep.equal([1, null, 3]);
    now = 4999;
    for (const _ of [1, 2, 3]) expect([await own.limit(), await other.limit()]).to.deep.equal([1, null]);
    expect(reads).to.equal(3);
    now = 10_000;
    expect([await own.limit(), await other.limit()]).to.deep.equal([1, 1]);
    await other.put(2);
    now = 20_000;
    expect([await other.limit(), await own.limit()]).to.deep.equal([2, 2]);
  });
});
