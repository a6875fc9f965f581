import { expect } from 'chai';
import { LatchkeyAdmin } from '../../../client/admin/index.ts';
import { fakeStripe, startLatchkey } from '../../../testing/index.ts';

describe('startLatchkey with a fake of Stripe', () => {
  it('grants what is paid there, once for all deliveries, and follows it by its own clock', async () => {
    await using stripe = await fakeStripe();
    await using latchkey = await startLatchkey({ now: '2026-01-31T00:00:00Z', stripe });
    const { entitlements } = latchkey.client('sketchpad');
    const { prices } = new LatchkeyAdmin({ baseUrl: latchkey.adminUrl, operatorKey: latchkey.operatorKey });
    const price = stripe.addPrice();
    await prices.put(price, { productId: 'sketchpad', tierId: 'pro', tierName: 'Pro' });
    const { subscription } = await stripe.subscribe({ price });
    expect(await entitlements.get(subscription)).to.include({
      status: 'active',
      tierId: 'pro',
      currentPeriodEnd: '2026-02-28T00:00:00.000Z',
    });
    await latchkey.clock.set('2026-02-28T00:00:00Z');
    await stripe.renew(subscription);
    expect(await entitlements.get(subscription)).to.include({ currentPeriodEnd: '2026-03-31T00:00:00.000Z' });
    expect((await latchkey.events('sketchpad')).map(({ type }) => type)).to.deep.equal([
      'entitlement.granted',
      'entitlement.ending_soon',
      'entitlement.past_due',
      'entitlement.renewed',
    ]);
    expect(stripe.deliveries.map(({ status }) => status)).to.deep.equal(stripe.events.map(() => 200));
  });
});
