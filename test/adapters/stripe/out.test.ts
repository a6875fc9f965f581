import { expect } from 'chai';
import { outgoing } from '../../../core/billing/outgoing-stream.ts';
import { streamName } from '../../../core/webhook/stream/delivery-stream.ts';
import type { HeldAnswer } from '../../../testing/stripe/api/faults.ts';
import { aGrant, noon } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { outHooks } from '../../support/stripe/out-hooks.ts';
import { cancel, resume, update, type OutShop } from '../../support/stripe/out-shop.ts';

/** The speed of the clock of the deliveries, which write once a second. */
const speed = 10;

const second = 1000;
const minute = 60 * second;
const scheduled = { atPeriodEnd: true, isAt: true };
const none = { atPeriodEnd: false, isAt: false };

/** The requests, with the mark of the attempt. */
const toCancel = 'cancel_at_period_end=true&metadata[latchkey_canceled]=EVENT.1';
const toResume = 'cancel_at_period_end=false&metadata[latchkey_canceled]=';

describe('cancellations to Stripe', () => {
  let out: OutShop;
  let id: string;
  const store = outHooks(speed, (...opened) => ([out, id] = opened));

  const bodies = (): readonly string[] =>
    out.updates.map(({ parameters }) => decodeURIComponent(parameters).replace(/evt_\w+/, 'EVENT'));

  /** Cancels, and resumes before the cancellation is sent, which waits for `release`. */
  async function resumeWhileHeld(): Promise<HeldAnswer> {
    const held = out.at.shop.faults.hold('GET /v1/subscriptions/:id');
    await out.ask(id, 'cancel');
    await held.arrived;
    out.wait(1000);
    await out.ask(id, 'resume');
    // No request takes longer.
    out.wait(10_000);
    return held;
  }

  it('arrive, once, and come back without a change', async () => {
    await out.ask(id, 'cancel');
    await out.settle();
    expect(out.cancellationOf(id)).to.deep.equal(scheduled);
    await out.lookAt(id);
    await out.settle();
    expect(bodies()).to.deep.equal([toCancel]);
    expect(await out.at.operations(id)).to.deep.equal(['granted', cancel]);
    expect(out.updates[0]?.idempotencyKey).to.match(/^stripe-node-retry-/);
  });

  it('are undone by the flag that Stripe has', async () => {
    await out.ask(id, 'cancel');
    await out.settle();
    out.wait(minute);
    await out.ask(id, 'resume');
    await out.settle();
    expect(bodies()).to.deep.equal([toCancel, toResume]);
    expect(out.cancellationOf(id)).to.deep.equal(none);
    expect(await out.at.operations(id)).to.deep.equal(['granted', cancel, resume]);
  });

  it('are undone by the instant that the portal has set', async () => {
    await out.at.shop.cancel(id);
    await out.lookAt(id);
    out.wait(minute);
    await out.ask(id, 'resume');
    await out.settle();
    expect(bodies()).to.deep.equal(['cancel_at=&metadata[latchkey_canceled]=']);
    expect(out.cancellationOf(id)).to.deep.equal(none);
  });

  it('leave out a resumption after which the buyer has canceled', async () => {
    await out.ask(id, 'cancel');
    await out.settle();
    await out.stop();
    await out.ask(id, 'resume');
    out.wait(minute);
    await out.at.shop.undoCancellation(id);
    await out.at.shop.cancel(id);
    await out.start(speed);
    await out.settle();
    expect(bodies()).to.deep.equal([toCancel]);
    const expected = ['granted', cancel, resume, 'cancellation_scheduled'];
    expect(await out.operations(id, expected)).to.deep.equal(expected);
  });

  it("do not take a cancellation of ours for the buyer's, although it arrives after its resumption", async () => {
    const held = await resumeWhileHeld();
    held.release();
    await out.settle();
    expect(bodies()).to.deep.equal([toCancel, toResume]);
    await out.lookAt(id);
    expect(await out.at.operations(id)).to.deep.equal(['granted', cancel, resume]);
  });

  for (const [how, fail] of [
    ['failed', () => out.at.shop.faults.answer(update, 500, { times: 2 })],
    ['had no answer', () => out.at.shop.faults.cut(update, { times: 2 })],
  ] as const) {
    it(`are undone soon after them by a resumption that first ${how}`, async () => {
      await out.ask(id, 'cancel');
      await out.settle();
      out.wait(20 * second);
      fail();
      await out.ask(id, 'resume');
      await out.fails(id, 1);
      await out.lookAt(id);
      expect(await out.at.operations(id)).to.deep.equal(['granted', cancel, resume]);
      out.wait(minute);
      await out.settle();
      expect(out.cancellationOf(id)).to.deep.equal(none);
      expect(await out.at.operations(id)).to.deep.equal(['granted', cancel, resume]);
    });
  }

  it('undo a cancellation of ours whose answer was lost', async () => {
    out.loseAnswer();
    await out.ask(id, 'cancel');
    await out.fails(id, 1);
    await out.ask(id, 'resume');
    await out.lookAt(id);
    out.wait(minute);
    await out.settle();
    expect(out.cancellationOf(id)).to.deep.equal(none);
    expect(await out.at.operations(id)).to.deep.equal(['granted', cancel, resume]);
  });

  it("do not take one whose answer was lost for the buyer's, although it arrives after its resumption", async () => {
    const held = await resumeWhileHeld();
    out.loseAnswer();
    held.release();
    await out.fails(id, 1);
    await out.lookAt(id);
    out.wait(minute);
    await out.settle();
    expect(out.cancellationOf(id)).to.deep.equal(none);
    expect(await out.at.operations(id)).to.deep.equal(['granted', cancel, resume]);
  });

  for (const asked of [
    ['cancel', 'resume'],
    ['cancel', 'resume', 'cancel', 'resume'],
  ] as const) {
    it(`leave out a resumption after which the buyer has canceled, although ${asked.length} changes wait`, async () => {
      await out.stop();
      for (const kind of asked) await out.ask(id, kind);
      out.wait(minute);
      await out.at.shop.cancel(id);
      out.wait(minute);
      await out.start(speed);
      await out.settle();
      const expected = ['granted', ...asked.map((kind) => (kind === 'cancel' ? cancel : resume))];
      expect(await out.operations(id, [...expected, 'cancellation_scheduled'])).to.have.length(expected.length + 1);
      expect(bodies()).to.deep.equal([]);
    });
  }

  it('send the state of now, however many changes wait', async () => {
    await out.stop();
    for (const kind of ['cancel', 'resume', 'cancel'] as const) await out.ask(id, kind);
    await out.start(speed);
    await out.settle();
    expect(bodies()).to.deep.equal([toCancel]);
    expect(out.cancellationOf(id)).to.deep.equal(scheduled);
  });

  it('are left alone by a look while they are on their way, unless Stripe has ended', async () => {
    await out.stop();
    await out.ask(id, 'cancel');
    await out.lookAt(id);
    expect(await out.at.show(id)).to.include({ cancelAtPeriodEnd: true });
    await out.at.shop.end(id);
    await out.lookAt(id);
    expect(await out.at.show(id)).to.include({ status: 'canceled' });
    await out.start(speed);
    const younger = await out.at.subscribe();
    await out.ask(younger, 'cancel');
    await out.settle();
    expect(out.updates.map(({ path }) => path)).to.deep.equal([`/v1/subscriptions/${younger}`]);
    expect(out.logged.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('are followed by a look once the delivery is stored', async () => {
    const held = out.at.shop.faults.hold(update);
    await out.ask(id, 'cancel');
    await held.arrived;
    await out.at.shop.undoCancellation(id);
    held.release();
    const expected = ['granted', cancel, 'cancellation_undone'];
    expect(await out.operations(id, expected)).to.deep.equal(expected);
  });

  it('end with the period that Stripe names by then, by the look after a delivery', async () => {
    await out.stop();
    await out.ask(id, 'cancel');
    const asked = (await out.at.show(id))?.currentPeriodEnd;
    out.wait(minute);
    await out.at.shop.changePrice(id, 'price_team');
    await out.lookAt(id);
    const { currentPeriodEnd } = (await out.at.show(id)) ?? {};
    expect(currentPeriodEnd).to.be.greaterThan(asked ?? noon);
    expect(await out.at.find(id)).to.have.deep.nested.property('cancellation.at', asked);
    await out.start(speed);
    await out.settle();
    const looked = await eventually(
      () => out.at.operations(id),
      (operations) => operations.length > 3,
    );
    expect(looked).to.deep.equal(['granted', cancel, 'tier_changed', 'cancellation_scheduled']);
    expect(await out.at.find(id)).to.have.deep.nested.property('cancellation.at', currentPeriodEnd);
    expect(bodies()).to.deep.equal([toCancel]);
  });

  it('outlast a look that had read Stripe before they were asked for, and ends after they were delivered', async () => {
    const held = out.at.shop.faults.hold('GET /v1/subscriptions/:id');
    const late = out.lookAt(id);
    await held.arrived;
    await out.ask(id, 'cancel');
    await out.settle();
    held.release();
    await late;
    expect(out.cancellationOf(id)).to.deep.equal(scheduled);
    expect(await out.at.operations(id)).to.deep.equal(['granted', cancel]);
  });

  it('outlast a look that has read Stripe before they were delivered, and ends after that', async () => {
    const sending = out.at.shop.faults.hold('GET /v1/subscriptions/:id');
    await out.ask(id, 'cancel');
    await sending.arrived;
    const held = out.at.shop.faults.hold('GET /v1/subscriptions/:id');
    const late = out.lookAt(id);
    await held.arrived;
    sending.release();
    await out.settle();
    held.release();
    await late;
    expect(out.cancellationOf(id)).to.deep.equal(scheduled);
    expect(await out.at.operations(id)).to.deep.equal(['granted', cancel]);
  });

  it('are undone here if Stripe refuses them', async () => {
    await out.at.shop.schedule(id);
    await out.ask(id, 'cancel');
    const expected = ['granted', cancel, 'cancellation_undone'];
    expect(await out.operations(id, expected)).to.deep.equal(expected);
    const [line] = out.logged.filter(({ level }) => level === 'error');
    expect(line).to.include({ id, status: 400 }).and.have.property('answer').that.includes('schedule');
    await out.settle();
    expect(out.updates).to.have.length(1);
  });

  for (const status of [401, 403, 409, 429, 500]) {
    it(`are sent again after a ${status}`, async () => {
      out.at.shop.faults.answer(update, status, { times: 2 });
      await out.ask(id, 'cancel');
      await out.fails(id, 1);
      out.at.shop.faults.clear();
      out.wait(minute);
      await out.settle();
      expect(out.cancellationOf(id)).to.deep.equal(scheduled);
    });
  }

  it('wait as long as Stripe asks', async () => {
    out.at.shop.faults.answer(update, 429, { times: 2, retryAfter: 600 });
    await out.ask(id, 'cancel');
    await out.fails(id, 1);
    const at = (await out.stream())?.pending.get(id)?.at?.getTime() ?? 0;
    expect(at - out.at.now.getTime()).to.equal(10 * minute);
  });

  it('arrive once if the answers are lost after the effect', async () => {
    out.loseAnswer();
    await out.ask(id, 'cancel');
    await out.fails(id, 1);
    out.wait(minute);
    await out.settle();
    expect(out.cancellationOf(id)).to.deep.equal(scheduled);
    expect(await out.at.operations(id)).to.deep.equal(['granted', cancel]);
  });

  it('are parked after the last attempt, with a line for the operator', async () => {
    out.at.shop.expireKey();
    await out.ask(id, 'cancel');
    for (let attempt = 1; !(await out.isParked(id)); attempt += 1) await out.waitForAttempt(id, attempt);
    expect(out.logged.at(-1)?.message).to.include('stripe reconcile --fix');
    await out.lookAt(id).catch(() => undefined);
    expect(await out.at.show(id)).to.include({ cancelAtPeriodEnd: true });
    out.at.shop.restoreKey();
    expect(await out.reconcile()).to.deep.equal({ compared: 1, fixed: 1, differences: [] });
    expect(out.cancellationOf(id)).to.deep.equal(scheduled);
    await out.settle();
  });

  it('ask Stripe nothing for ids that are not of its subscriptions', async () => {
    const purchase = await out.at.purchase();
    const grant = aGrant({ productId: 'sketchpad' });
    await out.at.administration.grantEntitlement({ grant, id: 'ent_1', licenseKey: null }, out.at.call());
    const before = out.at.shop.requests.length;
    await out.ask('ent_1', 'cancel');
    await out.settle();
    expect([purchase.startsWith('cs_'), out.at.shop.requests.length]).to.deep.equal([true, before]);
  });

  it('are not sent if they are older than the first server that knows Stripe', async () => {
    await out.stop();
    const names = ['sketchpad', 'metronome'].map((productId) => streamName(outgoing, productId));
    await store().deliveryStreams.remove(names, out.at.call());
    await out.ask(id, 'cancel');
    await out.start(speed);
    const younger = await out.at.subscribe();
    await out.ask(younger, 'cancel');
    await out.settle();
    expect(out.updates.map(({ path }) => path)).to.deep.equal([`/v1/subscriptions/${younger}`]);
  });
});
