import { expect } from 'chai';
import { Refusal } from '../../../core/refusal.ts';
import { aCall, deadlineIn, later } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { freshShop } from '../../support/stripe/fresh-shop.ts';
import { LookedAtShop } from '../../support/stripe/looked-at-shop.ts';
import { noMarks } from '../../support/stripe/states.ts';
import { thrownBy } from '../../support/thrown.ts';

const read = 'GET /v1/subscriptions/:id';

describe('looks beside each other', () => {
  let at: LookedAtShop;
  freshShop(LookedAtShop, (opened) => (at = opened));

  it('give an old answer of Stripe that comes late not the last word', async () => {
    const id = await at.subscribe();
    const held = at.shop.faults.hold(read);
    const late = at.lookAt(id);
    await held.arrived;
    await at.shop.cancel(id);
    await at.lookAt(id);
    held.release();
    await late;
    expect(await at.show(id)).to.include({ cancelAtPeriodEnd: true });
  });

  it('do not undo a cancellation that was asked for here while Stripe answered', async () => {
    const id = await at.subscribe();
    const held = at.shop.faults.hold(read);
    const late = at.lookAt(id);
    await held.arrived;
    await at.administration.runEntitlementCommand(id, { kind: 'cancel' }, aCall());
    at.pending = { kind: 'cancel', askedAt: at.now, undoes: [], parts: ['cancellation'], parked: null, ...noMarks };
    held.release();
    await late;
    expect(await at.show(id)).to.include({ cancelAtPeriodEnd: true });
  });

  it('do not undo a cancellation that was asked for here and delivered while Stripe answered', async () => {
    const id = await at.subscribe();
    const held = at.shop.faults.hold(read);
    const late = at.lookAt(id);
    await held.arrived;
    await at.administration.runEntitlementCommand(id, { kind: 'cancel' }, aCall());
    await at.shop.cancelAtPeriodEnd(id);
    held.release();
    await late;
    expect(await at.show(id)).to.include({ cancelAtPeriodEnd: true });
    expect(await at.operations(id)).to.deep.equal(['granted', 'cancellation_scheduled by command:test']);
  });

  it("do not take for the buyer's what was sent while Stripe was read", async () => {
    const id = await at.subscribe();
    await at.administration.runEntitlementCommand(id, { kind: 'cancel' }, aCall());
    await at.administration.runEntitlementCommand(id, { kind: 'resume' }, aCall());
    const pending = { askedAt: at.now, undoes: [], parts: ['cancellation'], parked: null, ...noMarks } as const;
    for (const stored of ['cancel', null] as const) {
      at.pending = { kind: 'resume', ...pending };
      const held = at.shop.faults.hold(read);
      await at.shop.cancelAtPeriodEnd(id);
      const look = at.lookAt(id);
      await held.arrived;
      at.pending = stored && { kind: stored, ...pending };
      if (stored === null) await at.shop.undoCancellation(id);
      held.release();
      await look;
      const operations = ['granted', 'cancellation_scheduled by command:test', 'cancellation_undone by command:test'];
      expect(await at.operations(id)).to.deep.equal(operations);
    }
  });

  it('look again after a write, because Stripe may have changed meanwhile', async () => {
    const { subscription: id } = await at.shop.subscribe({ price: 'price_pro' });
    const held = at.shop.faults.hold('GET /v1/checkout/sessions');
    const look = at.lookAt(id);
    await held.arrived;
    await at.shop.cancel(id);
    held.release();
    await look;
    expect(await at.show(id)).to.include({ cancelAtPeriodEnd: true });
  });

  it('grant once for twenty that come at once, and follow once', async () => {
    const { subscription: id } = await at.shop.subscribe({ price: 'price_pro' });
    await Promise.all(range(20).map(() => at.lookAt(id)));
    at.now = later(1000);
    await at.shop.cancel(id);
    await Promise.all(range(20).map(() => at.lookAt(id)));
    expect(await at.operations(id)).to.deep.equal(['granted', 'cancellation_scheduled']);
  });

  it('end at their deadline where Stripe does not answer, and change nothing', async () => {
    const id = await at.subscribe();
    await at.shop.cancel(id);
    at.shop.faults.hang(read);
    const call = aCall({ now: at.now, deadline: deadlineIn(200) });
    expect(await thrownBy(at.look(id, call)))
      .to.be.instanceOf(Refusal)
      .that.has.property('code', 'stripe_unavailable');
    at.shop.faults.clear();
    await at.lookAt(id);
    expect(await at.operations(id)).to.deep.equal(['granted', 'cancellation_scheduled']);
  });
});
