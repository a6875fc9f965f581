import { expect } from 'chai';
import { aCall, aOneTimeGrant, day, later } from '../../support/builders.ts';
import { freshShop } from '../../support/stripe/fresh-shop.ts';
import { LookedAtShop } from '../../support/stripe/looked-at-shop.ts';
import { noMarks } from '../../support/stripe/states.ts';

describe('subscriptions at Stripe', () => {
  let at: LookedAtShop;
  freshShop(LookedAtShop, (opened) => (at = opened));

  const end = new Date('2026-08-18T12:00:00.000Z');

  it('are granted once, with the session as their reference, and a second look changes nothing', async () => {
    const { subscription, session } = await at.shop.subscribe({ price: 'price_pro' });
    expect(await at.lookAt(subscription)).to.include({ kind: 'aligned', outcome: 'granted' });
    expect(await at.show(subscription)).to.deep.include({
      productId: 'sketchpad',
      status: 'active',
      tierId: 'pro',
      tierName: 'PRO',
      billingInterval: 'month',
      currentPeriodStart: at.now,
      currentPeriodEnd: end,
      cancelAt: null,
    });
    expect((await at.find(subscription))?.reference).to.equal(session);
    const seen = await at.find(subscription);
    expect(await at.lookAt(subscription)).to.deep.equal({ kind: 'aligned', outcome: 'unchanged', entitlement: seen });
    expect(await at.lookAt(session ?? '')).to.deep.equal({
      kind: 'aligned',
      outcome: 'unchanged',
      entitlement: seen,
    });
    expect(await at.operations(subscription)).to.deep.equal(['granted']);
  });

  it('are granted without a reference where the buyer came another way', async () => {
    const id = await at.subscribe({ checkout: false });
    expect((await at.find(id))?.reference).to.equal(null);
  });

  it('are granted by their session', async () => {
    const { subscription, session } = await at.shop.subscribe({ price: 'price_pro' });
    expect(await at.lookAt(session ?? '')).to.include({ kind: 'aligned', outcome: 'granted' });
    expect((await at.find(subscription))?.reference).to.equal(session);
  });

  it('go from a trial to a paid period', async () => {
    const id = await at.subscribe({ trialDays: 14 });
    expect(await at.show(id)).to.deep.include({ status: 'trialing', currentPeriodEnd: later(14 * day) });
    await at.shop.endTrial(id);
    await at.lookAt(id);
    expect(await at.show(id)).to.deep.include({ status: 'active', currentPeriodEnd: end });
  });

  it('renew, fall past due, are unpaid and are paid again', async () => {
    const id = await at.subscribe();
    at.now = end;
    await at.shop.renew(id);
    await at.lookAt(id);
    const next = { currentPeriodStart: end, currentPeriodEnd: new Date('2026-09-18T12:00:00.000Z') };
    expect(await at.show(id)).to.deep.include({ status: 'active', ...next });
    at.now = next.currentPeriodEnd;
    await at.shop.failPayment(id);
    await at.lookAt(id);
    expect(await at.show(id)).to.include({ status: 'past_due', active: true });
    await at.shop.stopRetries(id, 'unpaid');
    await at.lookAt(id);
    expect(await at.show(id)).to.include({ status: 'suspended', active: false });
    await at.shop.pay(id);
    await at.lookAt(id);
    expect(await at.show(id)).to.include({ status: 'active', active: true });
    const operations = ['granted', 'renewed', 'past_due', 'suspended', 'reinstated'];
    expect(await at.operations(id)).to.deep.equal(operations);
  });

  it('are canceled by the portal, by the flag, within and beyond the period, and undone', async () => {
    const id = await at.subscribe();
    for (const [cancel, cancelAt] of [
      [() => at.shop.cancel(id), end],
      [() => at.shop.cancel(id, later(day)), later(day)],
      [() => at.shop.cancel(id, later(90 * day)), later(90 * day)],
      [() => at.shop.cancelAtPeriodEnd(id), end],
    ] as const) {
      await cancel();
      await at.lookAt(id);
      expect(await at.show(id)).to.deep.include({ cancelAt, canceledAt: at.now, status: 'active' });
      await at.shop.undoCancellation(id);
      await at.lookAt(id);
      expect(await at.show(id)).to.deep.include({ cancelAt: null, canceledAt: null });
    }
  });

  it('end as canceled, at the instant of their end, and a look after the end changes nothing', async () => {
    const id = await at.subscribe();
    at.now = later(day);
    await at.shop.end(id);
    await at.lookAt(id);
    expect(await at.show(id)).to.deep.include({ status: 'canceled', endedAt: later(day) });
    expect(await at.lookAt(id)).to.include({ outcome: 'unchanged' });
    expect(await at.operations(id)).to.deep.equal(['granted', 'ended']);
  });

  it('come back after an end by the clock, if the buyer is charged', async () => {
    const id = await at.subscribe();
    at.now = later(60 * day);
    expect(await at.show(id)).to.include({ status: 'expired' });
    await at.shop.renew(id);
    at.now = later(31 * day + day / 2);
    await at.lookAt(id);
    expect(await at.show(id)).to.include({ status: 'active' });
  });

  for (const [what, suspend, lift] of [
    ['a pause', (id: string) => at.shop.pause(id), (id: string) => at.shop.resume(id)],
    [
      'an end of the retries',
      async (id: string) => {
        await at.shop.failPayment(id);
        await at.shop.stopRetries(id, 'unpaid');
      },
      (id: string) => at.shop.pay(id),
    ],
    ['a refund of the latest invoice', (id: string) => at.shop.refund(id), (id: string) => at.shop.renew(id)],
    ['a dispute', (id: string) => at.shop.dispute(id), (id: string) => at.shop.closeDispute(id, 'won')],
  ] as const) {
    it(`are suspended by ${what}, and an operator's suspension stays when it is lifted`, async () => {
      const id = await at.subscribe();
      await suspend(id);
      await at.lookAt(id);
      expect(await at.show(id)).to.include({ status: 'suspended' });
      await at.administration.runEntitlementCommand(id, { kind: 'suspend' }, aCall({ now: at.now }));
      await lift(id);
      await at.lookAt(id);
      expect(await at.show(id)).to.include({ status: 'suspended' });
      await at.administration.runEntitlementCommand(id, { kind: 'reinstate' }, aCall({ now: at.now }));
      expect(await at.show(id)).to.include({ status: 'active' });
    });
  }

  it('keep access while payments are not collected, without a change', async () => {
    const id = await at.subscribe();
    for (const behavior of ['keep_as_draft', 'mark_uncollectible', 'void'] as const) {
      await at.shop.pauseCollection(id, behavior);
      expect(await at.lookAt(id)).to.include({ outcome: 'unchanged' });
    }
    expect(await at.show(id)).to.include({ status: 'active' });
  });

  it('stay suspended where a dispute is lost, and open with the next payment', async () => {
    const id = await at.subscribe();
    await at.shop.dispute(id);
    await at.shop.closeDispute(id, 'lost');
    await at.lookAt(id);
    expect(await at.show(id)).to.include({ status: 'suspended' });
    at.now = end;
    await at.shop.renew(id);
    await at.lookAt(id);
    expect(await at.show(id)).to.include({ status: 'active' });
  });

  it('are not touched by an inquiry, a partial refund or another quantity', async () => {
    const id = await at.subscribe();
    await at.shop.dispute(id, 'inquiry');
    await at.shop.refund(id, 100);
    await at.shop.changeQuantity(id, 5);
    expect(await at.lookAt(id)).to.include({ outcome: 'unchanged' });
  });

  it('change tier and interval, also to a shorter period', async () => {
    const id = await at.subscribe({ price: 'price_team' });
    at.now = later(day);
    await at.shop.changePrice(id, 'price_pro');
    await at.lookAt(id);
    const period = { currentPeriodStart: later(day), currentPeriodEnd: new Date('2026-08-19T12:00:00.000Z') };
    expect(await at.show(id)).to.deep.include({ tierId: 'pro', billingInterval: 'month', ...period });
  });

  it('allow as many devices as their quantity says, where the price has a limit, and others as the operator says', async () => {
    await at.map('price_pro', 'pro', 'sketchpad', 3);
    const id = await at.subscribe();
    expect(await at.show(id)).to.include({ deviceLimit: 3 });
    await at.shop.changeQuantity(id, 5);
    expect(await at.lookAt(id)).to.include({ outcome: 'changed' });
    expect(await at.show(id)).to.include({ deviceLimit: 15, version: 2 });
    expect(await at.operations(id)).to.deep.equal(['granted', 'allowance_changed']);
    expect(await at.lookAt(id)).to.include({ outcome: 'unchanged' });
    await at.map('price_pro', 'pro');
    await at.administration.runEntitlementCommand(id, { kind: 'allow', deviceLimit: 7 }, aCall());
    await at.shop.changeQuantity(id, 1);
    expect(await at.lookAt(id)).to.include({ outcome: 'unchanged' });
    expect(await at.show(id)).to.include({ deviceLimit: 7 });
  });

  it('are not granted by an unmapped price, which is reported; a known one keeps its tier and follows otherwise', async () => {
    const unmapped = await at.subscribe({ price: 'price_unmapped' });
    expect(await at.find(unmapped)).to.equal(null);
    const report = { kind: 'unmapped', id: unmapped, prices: ['price_unmapped'] };
    expect(at.reports.filter(({ kind }) => kind === 'unmapped')).to.deep.equal([report]);
    const id = await at.subscribe();
    await at.shop.changePrice(id, 'price_unmapped');
    await at.shop.cancel(id);
    await at.lookAt(id);
    expect(await at.show(id)).to.deep.include({ tierId: 'pro', cancelAt: end });
    await at.shop.end(id);
    await at.lookAt(id);
    expect(at.reports.filter(({ kind }) => kind === 'unmapped')).to.deep.equal([report, { ...report, id }]);
  });

  it('with many items are granted by the first mapped one, however late it comes', async () => {
    const others = Array.from({ length: 29 }, () => at.shop.addPrice());
    const price = [...others, 'price_pro'];
    const id = await at.subscribe({ price });
    expect(await at.show(id)).to.include({ tierId: 'pro' });
    expect(at.reports.filter(({ kind }) => kind === 'several prices')).to.deep.equal([
      { kind: 'several prices', id, used: 'price_pro', ignored: others },
    ]);
  });

  it('that are first seen while they are suspended are granted as such, and open with the payment', async () => {
    const { subscription: id } = await at.shop.subscribe({ price: 'price_pro' });
    await at.shop.failPayment(id);
    await at.shop.stopRetries(id, 'unpaid');
    expect(await at.lookAt(id)).to.include({ kind: 'aligned', outcome: 'granted' });
    expect(await at.show(id)).to.include({ status: 'suspended', active: false });
    expect(await at.lookAt(id)).to.include({ outcome: 'unchanged' });
    await at.shop.pay(id);
    await at.lookAt(id);
    expect(await at.show(id)).to.include({ status: 'active', active: true });
    expect(await at.operations(id)).to.deep.equal(['granted', 'reinstated']);
  });

  it('that are incomplete, unknown to Stripe or over are not granted', async () => {
    const incomplete = await at.subscribe({ payment: 'fails' });
    expect(await at.lookAt(incomplete)).to.deep.equal({ kind: 'nothing', reason: 'not_paid' });
    await at.shop.stopRetries(incomplete, 'incomplete_expired');
    expect(await at.lookAt(incomplete)).to.deep.equal({ kind: 'nothing', reason: 'failed' });
    expect(await at.lookAt('sub_unknown')).to.deep.equal({ kind: 'nothing', reason: 'unknown' });
    expect(await at.lookAt('ent_1')).to.deep.equal({ kind: 'nothing', reason: 'unknown' });
  });

  it('that are revoked here and charged at Stripe are refused until they end there', async () => {
    const id = await at.subscribe();
    await at.administration.runEntitlementCommand(id, { kind: 'revoke' }, aCall());
    expect(await at.lookAt(id)).to.deep.equal({ kind: 'refused', reason: 'revoked_here', entitlementId: id });
    expect(at.reports).to.deep.include({ kind: 'refused', reason: 'revoked_here', id });
    await at.shop.end(id);
    expect(await at.lookAt(id)).to.include({ kind: 'aligned', outcome: 'unchanged' });
  });

  it('whose price is mapped to another product are refused, and end all the same', async () => {
    const id = await at.subscribe();
    await at.map('price_pro', 'pro', 'metronome');
    expect(await at.lookAt(id)).to.deep.equal({ kind: 'refused', reason: 'other_product', entitlementId: id });
    await at.shop.end(id);
    await at.lookAt(id);
    expect(await at.show(id)).to.include({ productId: 'sketchpad', status: 'canceled' });
  });

  it('whose session is the reference of another entitlement are refused', async () => {
    const { subscription, session } = await at.shop.subscribe({ price: 'price_pro' });
    const grant = aOneTimeGrant({ productId: 'sketchpad', reference: session });
    await at.administration.grantEntitlement({ grant, id: 'ent_own', licenseKey: null }, aCall());
    const refused = { kind: 'refused', reason: 'grant_refused' };
    expect(await at.lookAt(subscription)).to.include(refused);
    expect(at.reports).to.deep.include({ ...refused, id: subscription, code: 'reference_exists' });
  });

  it('keep a cancellation of ours that is on its way, and lose a resumption to a later one at Stripe', async () => {
    const id = await at.subscribe();
    await at.administration.runEntitlementCommand(id, { kind: 'cancel' }, aCall());
    at.pending = { kind: 'cancel', askedAt: at.now, undoes: [], parts: ['cancellation'], parked: null, ...noMarks };
    expect(await at.lookAt(id)).to.include({ outcome: 'unchanged' });
    await at.administration.runEntitlementCommand(id, { kind: 'resume' }, aCall());
    at.pending = { kind: 'resume', askedAt: at.now, undoes: [], parts: ['cancellation'], parked: null, ...noMarks };
    at.now = later(1000);
    await at.shop.cancel(id);
    await at.lookAt(id);
    expect(await at.show(id)).to.deep.include({ cancelAt: end, canceledAt: later(1000) });
  });
});
