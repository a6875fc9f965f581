import { expect } from 'chai';
import { freshShop } from '../../support/stripe/fresh-shop.ts';
import { cancel, OutShop, resume, update } from '../../support/stripe/out-shop.ts';

const minute = 60_000;
const fixed = { compared: 1, fixed: 1, differences: [] };

describe('stripe reconcile --fix of what waits to go to Stripe', () => {
  let out: OutShop;
  let id: string;
  const store = freshShop(OutShop, (opened) => (out = opened));
  beforeEach(async () => {
    id = await out.at.subscribe();
    await out.start();
  });

  for (const asked of [['resume'], ['cancel', 'resume'], ['cancel', 'resume', 'cancel', 'resume']] as const) {
    it(`takes over the buyer's later cancellation without a server, although ${asked.length} changes wait`, async () => {
      const before = asked.length === 1 ? [cancel] : [];
      if (asked.length === 1) {
        await out.ask(id, 'cancel');
        await out.settle();
      }
      await out.stop();
      for (const kind of asked) await out.ask(id, kind);
      out.wait(1000);
      await out.at.shop.undoCancellation(id);
      await out.at.shop.cancel(id);
      expect(await out.reconcile()).to.deep.equal(fixed);
      const operations = ['granted', ...before, ...asked.map((kind) => (kind === 'cancel' ? cancel : resume))];
      expect(await out.at.operations(id)).to.deep.equal([...operations, 'cancellation_scheduled']);
      const sent = out.updates.length;
      await out.start();
      await out.settle();
      expect(await out.reconcile()).to.deep.equal({ ...fixed, fixed: 0 });
      expect(out.updates).to.have.length(sent);
      expect(await out.at.show(id)).to.include({ cancelAtPeriodEnd: true });
    });
  }

  it("takes over the buyer's cancellation beyond the period, which nothing that waited shortens", async () => {
    await out.stop();
    await out.ask(id, 'cancel');
    await out.ask(id, 'resume');
    out.wait(minute);
    const { currentPeriodEnd } = (await out.at.show(id)) ?? {};
    const beyond = new Date((currentPeriodEnd?.getTime() ?? 0) + 1000 * minute);
    await out.at.shop.cancel(id, beyond);
    expect(await out.reconcile()).to.deep.equal(fixed);
    await out.start();
    await out.settle();
    expect(out.updates).to.deep.equal([]);
    expect(await out.at.find(id)).to.have.deep.nested.property('cancellation.at', beyond);
  });

  it('sends nothing that another has sent since it was read, so that what the buyer has undone stays so', async () => {
    await out.stop();
    await out.ask(id, 'cancel');
    const read = 'GET /v1/subscriptions/:id';
    let held = out.at.shop.faults.hold(read);
    const first = out.reconcile();
    // The third read is that before the update.
    for (const _ of [1, 2]) {
      await held.arrived;
      const { release } = held;
      held = out.at.shop.faults.hold(read);
      release();
    }
    await held.arrived;
    expect(await out.reconcile()).to.deep.equal(fixed);
    out.wait(1000);
    await out.at.shop.undoCancellation(id);
    held.release();
    expect(await first).to.deep.equal(fixed);
    // The look that takes over what the buyer has undone removes the mark.
    expect(out.updates.map(({ parameters }) => decodeURIComponent(parameters).slice(0, 20))).to.deep.equal([
      'cancel_at_period_end',
      'metadata[latchkey_ca',
    ]);
    expect(out.cancellationOf(id)).to.deep.equal({ atPeriodEnd: false, isAt: false });
    expect(await out.at.show(id)).to.include({ cancelAtPeriodEnd: false });
  });

  it("does not take a cancellation of ours for the buyer's while a server is sending it", async () => {
    const held = out.at.shop.faults.hold(update);
    await out.ask(id, 'cancel');
    await held.arrived;
    await out.ask(id, 'resume');
    // As if it had arrived late.
    out.wait(1000);
    await out.at.shop.undoCancellation(id);
    await out.at.shop.cancelAtPeriodEnd(id);
    await out.lookAt(id);
    expect(await out.at.operations(id)).to.deep.equal(['granted', cancel, resume]);
    held.release();
    await out.settle();
    expect(await out.at.show(id)).to.include({ cancelAtPeriodEnd: false });
  });

  it("takes over the buyer's cancellation although a server that was killed holds the stream", async () => {
    await out.stop();
    await out.ask(id, 'cancel');
    await out.ask(id, 'resume');
    out.wait(minute);
    await out.at.shop.cancel(id);
    out.wait(minute);
    const { deliveryStreams } = store();
    const stream = await out.stream();
    if (stream === null) throw new Error('there is no stream');
    await deliveryStreams.replace({ ...stream, holder: 'killed', fence: stream.fence + 1 }, out.at.call());
    expect(await out.reconcile()).to.deep.equal(fixed);
  });
});
