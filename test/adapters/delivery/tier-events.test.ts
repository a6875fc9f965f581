import { expect } from 'chai';
import { termsOf } from '../../../core/tier/tier.ts';
import { eventually } from '../../support/eventually.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { MovedClock, TestDeliveries } from '../../support/webhooks/deliveries.ts';
import { everyAndNamed, type Receiver } from '../../support/webhooks/receiver.ts';

const pro = { productId: 'prod_1', id: 'pro' };
const terms = { deviceLimit: 3, features: { sso: true } };

describe('the events of tiers', () => {
  const store = freshStore(memory.open);
  let deliveries: TestDeliveries;
  let receivers: readonly [every: Receiver, named: Receiver];

  beforeEach(async () => {
    deliveries = new TestDeliveries(store(), new MovedClock(0), 5);
    await deliveries.addProduct();
    receivers = await everyAndNamed(deliveries, ['tier.changed', 'entitlement.suspended']);
    deliveries.start();
  });
  afterEach(async () => {
    await deliveries.stop();
    for (const receiver of receivers) await receiver.close();
  });

  it('go to the endpoint that names them alone, in order, each once', async () => {
    const [every, named] = receivers;
    const { putTier, deleteTier } = deliveries.administration;
    const call = { ...deliveries.call(), by: 'operator:opk_1' } as const;
    await putTier(pro, termsOf(terms), call);
    await putTier(pro, termsOf({ ...terms, deviceLimit: null }), call);
    await deliveries.grant('a');
    await deleteTier(pro, call);
    await deliveries.change('a');
    const got = await eventually(
      async () => named.accepted,
      (all) => all.length >= 4,
    );
    const ofTiers = got.filter(({ type }) => type === 'tier.changed');
    const shown = { correlationId: call.correlationId, by: 'operator:opk_1', productId: 'prod_1', tierId: 'pro' };
    const unlimited = { ...terms, deviceLimit: null };
    expect(ofTiers.map(({ data }) => data)).to.deep.equal([
      { sequence: 1, ...shown, tier: terms, previous: null },
      { sequence: 2, ...shown, tier: unlimited, previous: terms },
      { sequence: 3, ...shown, tier: null, previous: unlimited },
    ]);
    expect(got.map(({ type }) => type).toSorted()).to.deep.equal([
      'entitlement.suspended',
      'tier.changed',
      'tier.changed',
      'tier.changed',
    ]);
    await eventually(
      async () => every.accepted,
      (all) => all.length >= 2,
    );
    expect(every.received.map(({ type }) => type)).to.deep.equal(['entitlement.granted', 'entitlement.suspended']);
    const stream = await eventually(
      () => deliveries.stream('whk_0'),
      (seen) => seen?.cursor === 5 && seen.pending.size === 0,
    );
    expect(stream?.failingSince).to.equal(null);
  });
});
