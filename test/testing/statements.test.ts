import { expect } from 'chai';
import { LatchkeyAdmin } from '../../client/admin/index.ts';
import { fakeStripe, startLatchkey } from '../../testing/index.ts';
import { thrownBy } from '../support/thrown.ts';

const listing = {
  name: 'Sketchpad',
  blurb: 'Draw on anything.',
  category: 'Design',
  commissionPercent: 30,
  compensationType: 'commission',
  compensationLabel: '30% for a year',
  productId: 'sketchpad',
  commissionFor: 12,
  holdDays: 14,
} as const;

describe('statements with the kit', () => {
  it('lead from a listing to a paid statement, and take back what is refunded later', async () => {
    const stripe = await fakeStripe();
    await using latchkey = await startLatchkey({ now: '2026-10-02T12:00:00Z', stripe });
    const admin = new LatchkeyAdmin({ baseUrl: latchkey.adminUrl, operatorKey: latchkey.operatorKey });
    const price = stripe.addPrice({ interval: 'month', amount: 1000 });
    await admin.products.put('sketchpad', { name: 'Sketchpad' });
    await admin.prices.put(price, { productId: 'sketchpad', tierId: 'pro', tierName: 'Pro' });
    await admin.listings.put('sketchpad', listing);
    await admin.affiliates.add({ email: 'ada@example.com', handle: 'ada', name: 'Ada' });
    await admin.promotions.put('ada', 'sketchpad', { codes: ['ADA20'] });
    await latchkey.clock.advance('1h');
    const promotionCode = stripe.addPromotionCode({ code: 'ADA20' });
    const { subscription } = await stripe.subscribe({ price, promotionCode });
    expect(await thrownBy(latchkey.closeStatements('2026-10'))).to.include({ code: 'month_not_over' });
    await latchkey.clock.set('2026-11-02T13:00:00Z');
    await stripe.renew(subscription);
    const [october, ...others] = await latchkey.closeStatements('2026-10');
    expect(others).to.deep.equal([]);
    expect(october).to.include({ handle: 'ada', currency: 'usd', total: 300, balance: 300, state: 'to_pay' });
    const { id = '' } = october ?? {};
    const paid = await admin.statements.paid(id, { method: 'paypal', reference: '7XK' });
    expect(paid).to.include({ state: 'paid' });
    await stripe.refund(subscription, 500, { payment: 0 });
    await latchkey.clock.set('2026-12-02T13:00:00Z');
    await stripe.renew(subscription);
    const [november] = await latchkey.closeStatements('2026-11');
    expect(november).to.include({ number: 2, opening: 0, total: 150, lineCount: 1 });
    expect(await latchkey.closeStatements('2026-11')).to.deep.equal([]);
    const { data } = await admin.statementLines.list(november?.id ?? '');
    expect(data.map(({ from, to, amount }) => [from, to, amount])).to.deep.equal([[300, 450, 150]]);
    await stripe.stop();
  });
});
