import { expect } from 'chai';
import { aCall, aGrant, aOneTimeGrant, day, later } from '../../support/builders.ts';
import { freshShop } from '../../support/stripe/fresh-shop.ts';
import { end, OutShop, update } from '../../support/stripe/out-shop.ts';

/** The speed of the clock of the deliveries, which write once a second. */
const speed = 10;

const minute = 60_000;

describe('the sales that need a person', () => {
  let out: OutShop;
  const store = freshShop(OutShop, (opened) => (out = opened));

  const charge = async (id: string): Promise<object> => ({
    at: (await out.at.show(id))?.currentPeriodEnd,
    amount: 900,
    currency: 'usd',
  });
  const nothing = { detail: null, change: null, charge: null };

  it('list a buyer who has paid for a price that is not mapped, until it is', async () => {
    const id = await out.at.subscribe({ price: 'price_unmapped' });
    expect(await out.cases(id)).to.deep.equal({
      unmapped_price: { ...nothing, since: out.at.now, detail: 'price_unmapped' },
    });
    const { now } = out.at;
    out.wait(minute);
    await out.lookAt(id);
    expect((await out.cases(id))['unmapped_price']).to.deep.include({ since: now });
    await out.at.map('price_unmapped', 'pro');
    await out.lookAt(id);
    expect(await out.cases(id)).to.deep.equal({});
  });

  it('are granted by a server once one of their prices is mapped', async () => {
    out.at.shop.addPrice({ id: 'price_other' });
    const id = await out.at.subscribe({ price: ['price_unmapped', 'price_other'] });
    await out.hasCases(id, 'unmapped_price');
    await out.at.map('price_other', 'pro');
    await out.start(speed);
    await out.hasCases(id);
    expect(await out.at.show(id)).to.include({ status: 'active', tierId: 'pro' });
  });

  it('list what a comparison finds different in no other way, since the first one, until a look or --fix', async () => {
    const [canceled, missing] = [
      await out.at.subscribe(),
      (await out.at.shop.subscribe({ price: 'price_pro' })).subscription,
    ];
    await out.at.shop.cancel(canceled);
    const found = { differs: { ...nothing, since: out.at.now } };
    for (const _ of [1, 2]) {
      expect((await out.reconcile(false)).differences).to.have.deep.members([
        { id: canceled, kind: 'different' },
        { id: missing, kind: 'missing' },
      ]);
      expect([await out.cases(canceled), await out.cases(missing)]).to.deep.equal([found, found]);
      out.wait(minute);
    }
    await out.lookAt(canceled);
    expect([await out.cases(canceled), await out.cases(missing)]).to.deep.equal([{}, found]);
    await out.reconcile();
    expect(await out.cases(missing)).to.deep.equal({});
  });

  it('list what is charged after its revocation, until it has ended there', async () => {
    const id = await out.at.subscribe();
    await out.ask(id, 'revoke');
    await out.beginNow();
    await out.lookAt(id);
    expect(await out.cases(id)).to.deep.equal({
      revoked_here: { ...nothing, since: out.at.now, charge: await charge(id) },
    });
    await out.at.shop.end(id);
    await out.lookAt(id);
    expect(await out.cases(id)).to.deep.equal({});
  });

  for (const [what, change] of [
    ['whose cancellation is after the next payment', (id: string) => out.at.shop.cancel(id, later(100 * day))],
    ['whose last payment was refunded', (id: string) => out.at.shop.refund(id)],
  ] as const) {
    for (const kind of ['revoke', 'suspend'] as const) {
      it(`list one ${what} and that is charged again after ${kind}`, async () => {
        const id = await out.at.subscribe();
        await out.ask(id, kind);
        await out.beginNow();
        out.wait(minute);
        await change(id);
        await out.lookAt(id);
        await out.hasCases(id, kind === 'revoke' ? 'revoked_here' : 'suspended_here');
      });
    }
  }

  for (const [what, settle] of [
    ['the seller pauses it', (id: string) => out.at.shop.pauseCollection(id)],
    ['it is reinstated', (id: string) => out.ask(id, 'reinstate')],
  ] as const) {
    it(`list what is charged while it is suspended, until ${what}`, async () => {
      const id = await out.at.subscribe();
      await out.ask(id, 'suspend');
      await out.beginNow();
      await out.lookAt(id);
      const suspended = { ...nothing, since: out.at.now, charge: await charge(id) };
      expect(await out.cases(id)).to.deep.equal({ suspended_here: suspended });
      await settle(id);
      await out.lookAt(id);
      expect(await out.cases(id)).to.deep.equal({});
    });
  }

  for (const [kind, change] of [
    ['cancel', 'cancellation'],
    ['suspend', 'suspension'],
    ['revoke', 'revocation'],
  ] as const) {
    it(`list what is parked where it is to ${kind}, until it is sent`, async () => {
      const id = await out.at.subscribe();
      await out.start(speed);
      out.at.shop.expireKey();
      const asked = out.at.now;
      await out.ask(id, kind);
      for (let attempt = 1; !(await out.isParked(id)); attempt += 1) {
        expect(await out.cases(id)).to.deep.equal({});
        await out.waitForAttempt(id, attempt);
      }
      await out.stop();
      await out.start(speed);
      await out.hasCases(id, 'not_sent');
      expect(await out.cases(id)).to.deep.equal({ not_sent: { ...nothing, since: asked, change } });
      out.at.shop.restoreKey();
      expect((await out.reconcile(false)).differences).to.deep.equal([{ id, kind: 'not_sent' }]);
      const { charge: next } = (await out.cases(id))['not_sent'] ?? {};
      expect(next).to.deep.equal(await charge(id));
      await out.reconcile();
      expect(await out.cases(id)).to.deep.equal({});
    });
  }

  it('list what Stripe has refused with its words, until it is done there', async () => {
    for (const [kind, route, change, difference] of [
      ['suspend', update, 'suspension', 'suspended_here'],
      ['revoke', end, 'revocation', 'revoked_here'],
    ] as const) {
      const id = await out.at.subscribe();
      await out.start(speed);
      out.at.shop.faults.answer(route, 400);
      await out.ask(id, kind);
      await out.settle();
      await out.hasCases(id, 'refused_by_stripe', difference);
      const { refused_by_stripe: refused } = await out.cases(id);
      expect(refused).to.include({ change, charge: null });
      expect(refused?.detail).to.match(/\w/);
      await out.stop();
      if (kind === 'revoke') await out.at.shop.end(id);
      else await out.at.shop.pauseCollection(id);
      await out.lookAt(id);
      expect(await out.cases(id)).to.deep.equal({});
    }
  });

  it('keep a cancellation that Stripe has refused although it is undone here, until it is made there', async () => {
    const id = await out.at.subscribe();
    await out.at.shop.schedule(id);
    await out.start(speed);
    await out.ask(id, 'cancel');
    await out.settle();
    const undone = ['granted', 'cancellation_scheduled by command:test', 'cancellation_undone'];
    expect(await out.operations(id, undone)).to.deep.equal(undone);
    await out.lookAt(id);
    expect((await out.cases(id))['refused_by_stripe']?.detail).to.include('managed by the subscription schedule');
    await out.at.shop.cancel(id);
    await out.lookAt(id);
    expect(await out.cases(id)).to.deep.equal({});
  });

  it('list a refusal of what Stripe does not know, which no look settles', async () => {
    const id = await out.at.subscribe();
    await out.start(speed);
    out.at.shop.faults.answer(end, 404);
    await out.ask(id, 'revoke');
    await out.settle();
    await out.hasCases(id, 'refused_by_stripe', 'revoked_here');
  });

  it('list a price of another product and a purchase with the id of a subscription, until they are granted anew', async () => {
    const id = await out.at.subscribe();
    await out.at.map('price_pro', 'pro', 'metronome');
    await out.lookAt(id);
    expect(await out.cases(id)).to.deep.equal({
      other_product: { ...nothing, since: out.at.now, detail: 'price_pro', charge: await charge(id) },
    });
    await out.at.map('price_pro', 'pro');
    await out.lookAt(id);
    expect(await out.cases(id)).to.deep.equal({});
  });

  it('list a refund that has failed after it revoked a purchase', async () => {
    const id = await out.at.purchase();
    await out.at.shop.refund(id);
    await out.lookAt(id);
    await out.at.shop.failRefund(id);
    await out.lookAt(id);
    expect(await out.cases(id)).to.deep.equal({ refund_failed: { ...nothing, since: out.at.now } });
  });

  it('list a sale that could not be granted, with the code, until it is', async () => {
    const { subscription: id, session } = await out.at.shop.subscribe({ price: 'price_pro' });
    const grant = aOneTimeGrant({ productId: 'sketchpad', reference: session });
    await out.at.administration.grantEntitlement({ grant, id: 'ent_1', licenseKey: null }, aCall());
    await out.lookAt(id);
    expect(await out.cases(id)).to.deep.equal({
      grant_refused: { ...nothing, since: out.at.now, detail: 'reference_exists' },
    });
    await out.reconcile(false);
    await out.hasCases(id, 'grant_refused');
  });

  it('are written by reconcile without --fix, which changes nothing else', async () => {
    const { subscription: id } = await out.at.shop.subscribe({ price: 'price_unmapped' });
    await out.reconcile(false);
    await out.hasCases(id, 'unmapped_price');
  });

  it('settle what a look has found that was held while the subscription ended', async () => {
    const id = await out.at.subscribe();
    await out.ask(id, 'revoke');
    await out.beginNow();
    const held = out.at.shop.faults.hold('GET /v1/subscriptions/:id');
    const looking = out.lookAt(id);
    await held.arrived;
    await out.at.shop.end(id);
    await out.lookAt(id);
    held.release();
    await looking;
    expect(await out.cases(id)).to.deep.equal({});
  });

  it('settle what reconcile has found that was held while the subscription ended', async () => {
    const id = await out.at.subscribe();
    await out.ask(id, 'revoke');
    await out.beginNow();
    const held = out.at.shop.faults.hold('GET /v1/subscriptions/:id');
    const reconciling = out.reconcile(false);
    await held.arrived;
    await out.at.shop.end(id);
    await out.lookAt(id);
    held.release();
    expect(await reconciling).to.deep.include({ compared: 1, differences: [] });
    expect(await out.cases(id)).to.deep.equal({});
  });

  it('of what Stripe does not list are settled by reconcile with --fix, once nothing waits', async () => {
    const id = 'sub_of_another_account';
    await out.at.subscribe();
    const grant = aGrant({ productId: 'sketchpad' });
    await out.at.administration.grantEntitlement({ grant, id, licenseKey: null }, out.at.call());
    await out.beginNow();
    await out.ask(id, 'revoke');
    await store().clockMarks.raise(out.at.now, out.at.call());
    out.wait(2 * 60 * minute);
    await out.watchClock();
    await out.start(20);
    await out.hasCases(id, 'not_sent');
    await out.stop();
    await out.lookAt(id);
    await out.hasCases(id, 'not_sent');
    expect(await out.reconcile(false)).to.deep.equal({ compared: 2, fixed: 0, differences: [] });
    await out.hasCases(id, 'not_sent');
    await out.reconcile();
    await out.hasCases(id, 'refused_by_stripe');
    expect((await out.stream())?.pending.size).to.equal(0);
    await out.lookAt(id);
    await out.reconcile(false);
    await out.hasCases(id, 'refused_by_stripe');
    await out.reconcile();
    expect(await out.cases(id)).to.deep.equal({});
  });

  it('keep a case that is stored while a look waits for Stripe', async () => {
    const id = await out.at.subscribe();
    const held = out.at.shop.faults.hold('GET /v1/subscriptions/:id');
    const looking = out.lookAt(id);
    await held.arrived;
    const refused = { id, kind: 'refused_by_stripe', since: out.at.now, ...nothing, change: 'revocation' } as const;
    await store().stripeCases.put(refused, aCall());
    held.release();
    await looking;
    await out.hasCases(id, 'refused_by_stripe');
  });
});
