import { expect } from 'chai';
import { aCall, day, later } from '../../support/builders.ts';
import { freshShop } from '../../support/stripe/fresh-shop.ts';
import { LookedAtShop } from '../../support/stripe/looked-at-shop.ts';

describe('purchases at Stripe', () => {
  let at: LookedAtShop;
  freshShop(LookedAtShop, (opened) => (at = opened));

  it('are granted once, for ever, and a second look changes nothing', async () => {
    const id = await at.shop.purchase({ price: 'price_once' });
    expect(await at.lookAt(id)).to.include({ kind: 'aligned', outcome: 'granted' });
    expect(await at.lookAt(id)).to.include({ kind: 'aligned', outcome: 'unchanged' });
    const sold = {
      kind: 'one_time',
      productId: 'sketchpad',
      tierId: 'once',
      status: 'active',
      currentPeriodEnd: null,
    };
    expect(await at.show(id)).to.deep.include({ ...sold, billingInterval: 'one_time', currentPeriodStart: at.now });
    expect((await at.find(id))?.reference).to.equal(id);
  });

  it('are granted where they cost nothing, and where the payment arrives late', async () => {
    expect(await at.show(await at.purchase({ payment: 'free' }))).to.include({ status: 'active' });
    const late = await at.shop.purchase({ price: 'price_once', payment: 'delayed' });
    expect(await at.lookAt(late)).to.deep.equal({ kind: 'nothing', reason: 'not_paid' });
    await at.shop.settle(late);
    await at.lookAt(late);
    expect(await at.show(late)).to.include({ status: 'active' });
  });

  it('allow as many devices as were bought, where the price has a limit', async () => {
    await at.map('price_once', 'pro', 'sketchpad', 3);
    expect(await at.show(await at.purchase({ quantity: 2 }))).to.include({ deviceLimit: 6 });
  });

  it('are not granted by an unmapped price, whose session is not in the report', async () => {
    const price = at.shop.addPrice({ interval: null });
    const id = await at.shop.purchase({ price });
    expect(await at.lookAt(id)).to.deep.equal({ kind: 'nothing', reason: 'unmapped_price' });
    expect(at.reports).to.deep.include({ kind: 'unmapped', id: null, prices: [price] });
    expect(JSON.stringify(at.reports.filter(({ kind }) => kind !== 'looked'))).not.to.include('cs_');
  });

  it('are revoked by a full refund and a lost dispute, and by nothing less', async () => {
    const refunded = await at.purchase();
    await at.shop.refund(refunded, 100);
    expect(await at.lookAt(refunded)).to.include({ outcome: 'unchanged' });
    await at.shop.refund(refunded);
    await at.lookAt(refunded);
    expect(await at.show(refunded)).to.include({ status: 'revoked' });
    const disputed = await at.purchase();
    await at.shop.dispute(disputed);
    await at.shop.closeDispute(disputed, 'lost');
    await at.lookAt(disputed);
    expect(await at.operations(disputed)).to.deep.equal(['granted', 'revoked']);
  });

  it('are revoked by a dispute that was prevented, also where they were suspended while it was open', async () => {
    const id = await at.purchase();
    await at.shop.dispute(id);
    await at.lookAt(id);
    await at.shop.closeDispute(id, 'prevented');
    await at.lookAt(id);
    expect(await at.show(id)).to.include({ status: 'revoked' });
    expect(await at.operations(id)).to.deep.equal(['granted', 'suspended', 'revoked']);
  });

  it('are suspended by an open dispute, and reinstated by one that is won', async () => {
    const id = await at.purchase();
    await at.shop.dispute(id);
    await at.lookAt(id);
    expect(await at.show(id)).to.include({ status: 'suspended' });
    await at.shop.closeDispute(id, 'won');
    await at.lookAt(id);
    expect(await at.show(id)).to.include({ status: 'active' });
    expect(await at.operations(id)).to.deep.equal(['granted', 'suspended', 'reinstated']);
  });

  it('are suspended from the start if they are first seen while a dispute is open', async () => {
    const id = await at.shop.purchase({ price: 'price_once' });
    await at.shop.dispute(id);
    expect(await at.lookAt(id)).to.include({ kind: 'aligned', outcome: 'granted' });
    expect(await at.show(id)).to.include({ status: 'suspended' });
    await at.shop.closeDispute(id, 'won');
    await at.lookAt(id);
    expect(await at.operations(id)).to.deep.equal(['granted', 'reinstated']);
  });

  it('are suspended and reinstated after their end as well, because they may be renewed', async () => {
    const id = await at.purchase();
    const renew = (currentPeriodEnd: Date) =>
      at.administration.runEntitlementCommand(id, { kind: 'renew', currentPeriodEnd, grace: 0 }, at.call());
    const tier = { kind: 'change-tier', tierId: 'once', tierName: 'ONCE', currentPeriodEnd: later(day) } as const;
    const kept = { billingInterval: null, billingIntervalCount: null, grace: null };
    await at.administration.runEntitlementCommand(id, { ...tier, ...kept }, at.call());
    at.now = later(2 * day);
    await at.shop.dispute(id);
    expect(await at.lookAt(id)).to.include({ kind: 'aligned', outcome: 'changed' });
    expect(await at.lookAt(id)).to.include({ outcome: 'unchanged' });
    expect(await at.show(id)).to.include({ status: 'expired' });
    await renew(later(3 * day));
    expect(await at.show(id)).to.include({ status: 'suspended' });
    at.now = later(4 * day);
    await at.shop.closeDispute(id, 'won');
    await at.lookAt(id);
    expect(await at.show(id)).to.include({ status: 'expired' });
    await renew(later(5 * day));
    expect(await at.show(id)).to.include({ status: 'active' });
  });

  it("keep an operator's suspension", async () => {
    const id = await at.purchase();
    await at.administration.runEntitlementCommand(id, { kind: 'suspend' }, aCall());
    expect(await at.lookAt(id)).to.include({ outcome: 'unchanged' });
    expect(await at.show(id)).to.include({ status: 'suspended' });
  });

  it('are refused where a refund has failed that revoked them', async () => {
    const id = await at.purchase();
    await at.shop.refund(id);
    await at.lookAt(id);
    await at.shop.failRefund(id);
    expect(await at.lookAt(id)).to.deep.equal({ kind: 'refused', reason: 'refund_failed', entitlementId: id });
    expect(at.reports).to.deep.include({ kind: 'refused', reason: 'refund_failed', id: null });
  });
});
