import { expect } from 'chai';
import { LatchkeyAdmin } from '../../../client/admin/index.ts';
import { fakeStripe, startLatchkey, type FakeStripe, type Latchkey } from '../../../testing/index.ts';
import { day } from '../../support/builders.ts';

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

  for (const interval of ['week', 'month', 'year'] as const) {
    it(`ends the access to what is unpaid after three weeks, although no event comes: each ${interval}`, async () => {
      await using stripe = await fakeStripe();
      await using latchkey = await startLatchkey({ now: start, stripe });
      const { entitlements, licenses } = latchkey.client('sketchpad');
      const price = await soldPrice(latchkey, stripe, interval);
      const { subscription, session } = await stripe.subscribe({ price });
      const { licenseKey } = await claimed(latchkey, session);
      const { currentPeriodEnd } = await entitlements.get(subscription);
      const [firstUnpaid, week] = [new Date(currentPeriodEnd ?? ''), 7 * day];
      const at = (milliseconds: number): Date => new Date(firstUnpaid.getTime() + milliseconds);

      // Of a weekly subscription, the second and third unpaid periods do not begin anew.
      for (let passed = 0; passed < 3 * week; passed += interval === 'week' ? week : 3 * week) {
        await latchkey.clock.set(at(passed));
        await stripe.failPayment(subscription);
        expect(await entitlements.get(subscription)).to.include({ status: 'past_due', active: true });
      }
      stripe.pauseDeliveries();
      await latchkey.clock.set(at(3 * week - 1));
      expect(await entitlements.get(subscription)).to.include({ status: 'past_due', active: true });
      await latchkey.clock.set(at(3 * week));
      expect(await entitlements.get(subscription)).to.include({ status: 'suspended', active: false, endedAt: null });
      expect(await licenses.verify(licenseKey)).to.include({ reason: 'no_access' });
      const last = (await latchkey.events('sketchpad')).at(-1);
      expect(last).to.include({ type: 'entitlement.suspended', timestamp: at(3 * week).toISOString() });
      expect(last?.data.previous).to.deep.equal({ status: 'past_due' });

      stripe.resumeDeliveries();
      await stripe.pay(subscription);
      expect(await entitlements.get(subscription)).to.include({ active: true });
      const types = (await latchkey.events('sketchpad')).map(({ type }) => type);
      expect(types.filter((type) => type === 'entitlement.reinstated')).to.have.length(1);
    });
  }

  it('counts from the first unpaid period although the events of the first ones were lost', async () => {
    await using stripe = await fakeStripe();
    await using latchkey = await startLatchkey({ now: start, stripe });
    const { entitlements } = latchkey.client('sketchpad');
    const { subscription } = await stripe.subscribe({ price: await soldPrice(latchkey, stripe, 'week') });
    for (const days of [7, 14, 21]) {
      await latchkey.clock.set(new Date(Date.parse(start) + days * day));
      stripe.pauseDeliveries();
      if (days === 21) stripe.resumeDeliveries();
      await stripe.failPayment(subscription);
    }
    expect(await entitlements.get(subscription)).to.include({ status: 'past_due', active: true });
    await latchkey.clock.set(new Date(Date.parse(start) + 28 * day - 1));
    expect(await entitlements.get(subscription)).to.include({ active: true });
    await latchkey.clock.advance('1s');
    expect(await entitlements.get(subscription)).to.include({ status: 'suspended', active: false });
  });

  it('keeps the access to what is suspended by Stripe for nothing but a pause of the subscription', async () => {
    await using stripe = await fakeStripe();
    await using latchkey = await startLatchkey({ now: start, stripe });
    const { entitlements } = latchkey.client('sketchpad');
    const { subscription } = await stripe.subscribe({ price: await soldPrice(latchkey, stripe, 'month') });
    for (const behavior of ['keep_as_draft', 'mark_uncollectible', 'void'] as const) {
      await stripe.pauseCollection(subscription, behavior);
      expect(await entitlements.get(subscription)).to.include({ status: 'active', active: true });
    }
    await stripe.resumeCollection(subscription);
    await stripe.pause(subscription);
    expect(await entitlements.get(subscription)).to.include({ status: 'suspended', active: false });
    await stripe.resume(subscription);
    expect(await entitlements.get(subscription)).to.include({ status: 'active', active: true });
  });
});

const start = '2026-01-31T00:00:00Z';

async function soldPrice(latchkey: Latchkey, stripe: FakeStripe, interval: 'week' | 'month' | 'year'): Promise<string> {
  const price = stripe.addPrice({ interval });
  const { prices } = new LatchkeyAdmin({ baseUrl: latchkey.adminUrl, operatorKey: latchkey.operatorKey });
  await prices.put(price, { productId: 'sketchpad', tierId: 'pro', tierName: 'Pro' });
  return price;
}

async function claimed({ url }: Latchkey, session: string | null): Promise<{ readonly licenseKey: string }> {
  const headers = { Accept: 'application/json' };
  const answer = await fetch(`${url}/claim?session_id=${session}`, { headers });
  return ((await answer.json()) as { readonly data: { readonly licenseKey: string } }).data;
}
