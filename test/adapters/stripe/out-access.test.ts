import { expect } from 'chai';
import { outgoing } from '../../../core/billing/outgoing-stream.ts';
import { streamName } from '../../../core/webhook/stream/delivery-stream.ts';
import { aCall } from '../../support/builders.ts';
import { outHooks } from '../../support/stripe/out-hooks.ts';
import { cancel, end, update, type OutShop } from '../../support/stripe/out-shop.ts';

/** The speed of the clock of the deliveries, which write once a second. */
const speed = 10;

const minute = 60_000;
const paused = 'pause_collection[behavior]=void&metadata[latchkey_paused]=true';
const goesOn = 'pause_collection=&metadata[latchkey_paused]=';
const by = 'by command:test';

describe('access that an operator takes away, at Stripe', () => {
  let out: OutShop;
  let id: string;
  const store = outHooks(speed, (...opened) => ([out, id] = opened));

  const sent = (): readonly string[] =>
    out.updates.map(({ method, parameters }) => `${method} ${decodeURIComponent(parameters)}`);
  const at = (): Readonly<Record<string, unknown>> => {
    const { status, metadata, pause_collection: pause } = out.at.shop.object(id);
    return { status, metadata, isPaused: pause !== null };
  };
  const collecting = { status: 'active', metadata: {}, isPaused: false };
  const held = { status: 'active', metadata: { latchkey_paused: 'true' }, isPaused: true };

  it('ends there at once after a revocation, without an echo', async () => {
    await out.ask(id, 'revoke');
    await out.settle();
    expect(at()).to.include({ status: 'canceled' });
    expect(sent()).to.deep.equal(['DELETE invoice_now=false&prorate=false']);
    await out.lookAt(id);
    await out.settle();
    expect(await out.at.operations(id)).to.deep.equal(['granted', `revoked ${by}`]);
    expect(sent()).to.have.length(1);
    expect(await out.reconcile()).to.deep.equal({ compared: 1, fixed: 0, differences: [] });
  });

  it('is not charged while it is suspended, and is again once it is reinstated', async () => {
    await out.ask(id, 'suspend');
    await out.settle();
    expect(at()).to.deep.equal(held);
    await out.lookAt(id);
    expect(await out.at.show(id)).to.include({ status: 'suspended' });
    await out.ask(id, 'reinstate');
    await out.settle();
    expect(at()).to.deep.equal(collecting);
    await out.lookAt(id);
    expect(sent()).to.deep.equal([`POST ${paused}`, `POST ${goesOn}`]);
    expect(await out.at.operations(id)).to.deep.equal(['granted', `suspended ${by}`, `reinstated ${by}`]);
  });

  /** Suspends, and reinstates before Stripe has the suspension, which it carries out after that. */
  async function suspendLate(): Promise<void> {
    const late = out.delayUpdate();
    await out.ask(id, 'suspend');
    await out.fails(id, 1);
    await out.ask(id, 'reinstate');
    out.wait(minute);
    await out.settle();
    // The look that follows the delivery is over, too.
    await out.stop();
    out.wait(60 * minute);
    await out.arrive(late());
  }

  for (const [how, look] of [
    ['a look', () => out.lookAt(id)],
    ['stripe reconcile --fix', () => out.reconcile()],
  ] as const) {
    it(`is collected again by ${how} if Stripe carries out a suspension after it was lifted`, async () => {
      await suspendLate();
      expect(at()).to.deep.equal(held);
      expect((await out.reconcile(false)).differences).to.deep.equal([{ id, kind: 'paused_here' }]);
      await out.hasCases(id, 'paused_here');
      await look();
      expect([at(), await out.cases(id)]).to.deep.equal([collecting, {}]);
      expect((await out.reconcile(false)).differences).to.deep.equal([]);
      expect(await out.at.operations(id)).to.deep.equal(['granted', `suspended ${by}`, `reinstated ${by}`]);
    });
  }

  it('stays a case and a difference while Stripe does not end the pause that is left', async () => {
    await suspendLate();
    out.at.shop.faults.answer(update, 400, { times: 9 });
    await out.lookAt(id);
    await out.hasCases(id, 'paused_here', 'refused_by_stripe');
    expect((await out.reconcile()).differences).to.deep.equal([{ id, kind: 'paused_here' }]);
    out.at.shop.faults.clear();
    await out.lookAt(id);
    await out.hasCases(id);
    expect(at()).to.deep.equal(collecting);
  });

  it('is paused again if it is suspended while a look ends a pause that is left', async () => {
    await suspendLate();
    const ending = out.at.shop.faults.hold(update);
    const look = out.lookAt(id);
    await ending.arrived;
    await out.ask(id, 'suspend');
    ending.release();
    await look;
    expect(at()).to.deep.equal(held);
  });

  it('is collected again once it is reinstated, although no price is mapped any more', async () => {
    await out.ask(id, 'suspend');
    await out.settle();
    for (const price of ['price_pro', 'price_team', 'price_once']) await store().priceMap.remove(price, aCall());
    await out.ask(id, 'reinstate');
    await out.settle();
    expect(at()).to.deep.equal(collecting);
  });

  it('forgets the mark of a pause that the seller has ended, by a look', async () => {
    await suspendLate();
    await out.at.shop.resumeCollection(id);
    await out.lookAt(id);
    expect([at(), await out.cases(id)]).to.deep.equal([collecting, {}]);
    await out.at.shop.pauseCollection(id);
    await out.lookAt(id);
    expect(at()).to.deep.equal({ ...collecting, isPaused: true });
  });

  it('stays paused by the seller, whose pause has no mark', async () => {
    await out.at.shop.pauseCollection(id, 'mark_uncollectible');
    for (const kind of ['suspend', 'reinstate'] as const) {
      await out.ask(id, kind);
      await out.settle();
    }
    expect([sent(), at()]).to.deep.equal([[], { ...collecting, isPaused: true }]);
  });

  it('forgets a pause that the seller has ended, so that a later one is not taken for ours', async () => {
    await out.ask(id, 'suspend');
    await out.settle();
    await out.at.shop.resumeCollection(id);
    await out.ask(id, 'reinstate');
    await out.settle();
    expect(at()).to.deep.equal(collecting);
  });

  it('is neither ended nor paused before a price is mapped: it is not sold by Stripe then', async () => {
    for (const price of ['price_pro', 'price_team', 'price_once']) await store().priceMap.remove(price, aCall());
    for (const change of ['suspend', 'reinstate', 'revoke'] as const) await out.ask(id, change);
    await out.settle();
    expect(out.updates).to.deep.equal([]);
    expect(out.at.shop.object(id)).to.deep.include({ status: 'active', pause_collection: null });
  });

  it('sends the state of now, however many changes wait', async () => {
    await out.stop();
    for (const kind of ['suspend', 'reinstate', 'suspend', 'revoke'] as const) await out.ask(id, kind);
    await out.start(speed);
    await out.settle();
    expect(sent()).to.deep.equal(['DELETE invoice_now=false&prorate=false']);
  });

  it('sends each part by itself, so that a refusal of one is none of the others', async () => {
    await out.at.shop.schedule(id);
    await out.stop();
    for (const kind of ['cancel', 'suspend'] as const) await out.ask(id, kind);
    await out.start(speed);
    const undone = ['granted', cancel, `suspended ${by}`, 'cancellation_undone'];
    expect(await out.operations(id, undone)).to.deep.equal(undone);
    await out.settle();
    expect(at()).to.deep.equal(held);
  });

  it('is no difference while it is on its way, and one that cannot be fixed here once Stripe refuses it', async () => {
    for (const [kind, difference, route] of [
      ['suspend', 'suspended_here', update],
      ['revoke', 'revoked_here', end],
    ] as const) {
      await out.stop();
      await out.ask(id, kind);
      expect((await out.reconcile(false)).differences).to.deep.equal([{ id, kind: 'not_sent' }]);
      await out.lookAt(id);
      expect(out.logged.filter(({ message }) => message.includes('revoked'))).to.deep.equal([]);
      out.at.shop.faults.answer(route, 400);
      await out.start(speed);
      await out.settle();
      const refused = out.logged.filter(({ message }) => message.startsWith('Stripe refuses a change'));
      expect(refused.at(-1)).to.include({ id, status: 400, level: 'error' });
      expect((await out.reconcile()).differences).to.deep.equal([{ id, kind: difference }]);
    }
    expect(await out.at.show(id)).to.include({ status: 'revoked' });
  });

  it('is no failure if the subscription has ended there meanwhile', async () => {
    const arriving = out.at.shop.faults.hold('GET /v1/subscriptions/:id');
    await out.ask(id, 'revoke');
    await arriving.arrived;
    await out.at.shop.end(id);
    arriving.release();
    await out.settle();
    expect(sent()).to.have.length(1);
    expect(out.logged.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  for (const [kind, route, status] of [
    ['revoke', end, 'canceled'],
    ['suspend', update, 'active'],
  ] as const) {
    it(`is sent again where it is to ${kind} and the answer was lost`, async () => {
      out.at.shop.faults.cut(route);
      out.at.shop.faults.cut(route, { afterEffect: true });
      await out.ask(id, kind);
      await out.fails(id, 1);
      out.wait(minute);
      await out.settle();
      expect(at()).to.include({ status });
      expect(await out.at.operations(id)).to.have.length(2);
    });

    it(`is parked where it is to ${kind} and Stripe is down, and sent by reconcile --fix`, async () => {
      out.at.shop.expireKey();
      await out.ask(id, kind);
      for (let attempt = 1; !(await out.isParked(id)); attempt += 1) await out.waitForAttempt(id, attempt);
      out.at.shop.restoreKey();
      expect((await out.reconcile(false)).differences).to.deep.equal([{ id, kind: 'not_sent' }]);
      expect(await out.reconcile()).to.deep.equal({ compared: 1, fixed: 1, differences: [] });
      expect(at()).to.deep.include(kind === 'revoke' ? { status } : held);
      await out.settle();
    });

    it(`is left alone where it is to ${kind} and older than the server that knows Stripe`, async () => {
      await out.stop();
      const names = ['sketchpad', 'metronome'].map((productId) => streamName(outgoing, productId));
      await store().deliveryStreams.remove(names, out.at.call());
      await out.ask(id, kind);
      await out.start(speed);
      await out.settle();
      await out.reconcile();
      expect([sent(), at()]).to.deep.equal([[], collecting]);
      const difference = kind === 'revoke' ? 'revoked_here' : 'suspended_here';
      expect((await out.reconcile()).differences).to.deep.equal([{ id, kind: difference }]);
    });
  }

  it('leaves a suspension of before alone when it is canceled later', async () => {
    await out.stop();
    const names = ['sketchpad', 'metronome'].map((productId) => streamName(outgoing, productId));
    await store().deliveryStreams.remove(names, out.at.call());
    await out.ask(id, 'suspend');
    await out.start(speed);
    await out.ask(id, 'cancel');
    await out.settle();
    expect(sent().map((each) => each.replace(/evt_\w+/, 'EVENT'))).to.deep.equal([
      'POST cancel_at_period_end=true&metadata[latchkey_canceled]=EVENT.1',
    ]);
  });

  it('asks for nothing where Stripe itself has suspended, or the clock has', async () => {
    await out.at.shop.refund(id);
    await out.lookAt(id);
    expect(await out.at.show(id)).to.include({ status: 'suspended' });
    await out.settle();
    expect(sent()).to.deep.equal([]);
  });
});
