import { expect } from 'chai';
import type { SeenRequest } from '../../../../testing/stripe/fake-stripe.ts';
import { hour } from '../../../support/builders.ts';
import { outHooks } from '../../../support/stripe/out-hooks.ts';
import { cancel, resume, update, type OutShop } from '../../../support/stripe/out-shop.ts';

/** So fast that a second between two writes of a stream is not waited for. */
const speed = 20;

const minute = 60_000;
const scheduled = { atPeriodEnd: true, isAt: true };
const byInstant = { atPeriodEnd: false, isAt: true };
const none = { atPeriodEnd: false, isAt: false };

describe('cancellations of ours that Stripe carries out late', () => {
  let out: OutShop;
  let id: string;
  const store = outHooks(speed, (...opened) => ([out, id] = opened));

  const mark = (): unknown => (out.at.shop.object(id)['metadata'] as object)['latchkey_canceled' as never];
  const both = async (): Promise<unknown> => [
    out.cancellationOf(id),
    (await out.at.show(id))?.cancelAtPeriodEnd,
    await out.at.operations(id),
  ];

  /** Loses `count` attempts of a cancellation on their way. The last one arrives, unless `arrives` is false. */
  async function loseAttempts(count: number, arrives = true): Promise<readonly (SeenRequest | null)[]> {
    const lost: (SeenRequest | null)[] = [];
    let take = out.delayUpdate();
    await out.ask(id, 'cancel');
    for (let attempt = 1; attempt <= count; attempt += 1) {
      await out.fails(id, attempt);
      lost.push(take());
      if (attempt < count) take = out.delayUpdate();
      if (attempt < count || arrives) await out.waitForAttempt(id, attempt);
    }
    if (arrives) await out.settle();
    return lost;
  }

  /** Resumes, and waits until Stripe and all looks are over. */
  async function resumeHere(): Promise<void> {
    await out.ask(id, 'resume');
    out.wait(hour);
    await out.settle();
    await out.stop();
  }

  for (const minutes of [0, 59]) {
    it(`are undone by a look if that is ${minutes} minutes after the resumption, and by another the second time`, async () => {
      const lost = await loseAttempts(2, false);
      await resumeHere();
      expect(out.cancellationOf(id)).to.deep.equal(none);
      for (const late of lost) {
        out.wait(minutes * minute);
        await out.arrive(late);
        expect(out.cancellationOf(id)).to.deep.equal(scheduled);
        expect((await out.reconcile(false)).differences).to.deep.equal([{ id, kind: 'different' }]);
        await out.lookAt(id);
        expect(await both()).to.deep.equal([none, false, ['granted', cancel, resume]]);
        expect(mark()).to.equal(undefined);
      }
      expect((await out.reconcile(false)).differences).to.deep.equal([]);
    });
  }

  it('are undone by the resumption, if that has not reached Stripe yet', async () => {
    const [late = null] = await loseAttempts(1, false);
    await out.stop();
    await out.ask(id, 'resume');
    out.wait(hour - minute);
    await out.arrive(late);
    await out.lookAt(id);
    expect(await both()).to.deep.equal([scheduled, false, ['granted', cancel, resume]]);
    await out.start(speed);
    await out.settle();
    await out.lookAt(id);
    expect(await both()).to.deep.equal([none, false, ['granted', cancel, resume]]);
  });

  it('are undone by the next look if the process that undoes them is killed', async () => {
    const [late = null] = await loseAttempts(1, false);
    await resumeHere();
    await out.arrive(late);
    out.at.shop.faults.cut(update, { times: 2 });
    await out.lookAt(id).catch(() => undefined);
    await out.lookAt(id);
    expect(await both()).to.deep.equal([none, false, ['granted', cancel, resume]]);
  });

  it("are the buyer's who cancels again in the portal, where the mark of an attempt that was seen is left", async () => {
    await out.ask(id, 'cancel');
    await out.settle();
    await out.stop();
    await out.ask(id, 'resume');
    out.wait(minute);
    await out.at.shop.undoCancellation(id);
    await out.at.shop.cancel(id);
    expect(mark()).to.match(/^evt_\w+\.1$/);
    await out.start(speed);
    await out.settle();
    await out.lookAt(id);
    expect(await both()).to.deep.equal([byInstant, true, ['granted', cancel, resume, 'cancellation_scheduled']]);
  });

  it('lose their mark with the resumption of a buyer, after which they are undone as well', async () => {
    const [late = null] = await loseAttempts(1);
    await out.stop();
    expect(mark()).to.match(/\.2$/);
    await out.at.shop.undoCancellation(id);
    await out.lookAt(id);
    expect([mark(), out.cancellationOf(id)]).to.deep.equal([undefined, none]);
    await out.arrive(late);
    await out.lookAt(id);
    expect(await both()).to.deep.equal([none, false, ['granted', cancel, 'cancellation_undone']]);
    await out.at.shop.cancel(id);
    await out.lookAt(id);
    const operations = ['granted', cancel, 'cancellation_undone', 'cancellation_scheduled'];
    expect(await both()).to.deep.equal([byInstant, true, operations]);
  });

  it('are taken over if Stripe refuses to undo them', async () => {
    const [late = null] = await loseAttempts(1, false);
    await resumeHere();
    await out.arrive(late);
    out.at.shop.faults.answer(update, 400);
    await out.lookAt(id);
    expect(await both()).to.deep.equal([scheduled, true, ['granted', cancel, resume, 'cancellation_scheduled']]);
    await out.hasCases(id, 'refused_by_stripe');
  });

  it('outlast a resumption that is undone while a look undoes them', async () => {
    const [late = null] = await loseAttempts(1, false);
    await resumeHere();
    await out.arrive(late);
    const undoing = out.at.shop.faults.hold(update);
    const look = out.lookAt(id);
    await undoing.arrived;
    await out.ask(id, 'cancel');
    undoing.release();
    await look;
    expect(out.cancellationOf(id)).to.deep.equal(scheduled);
    expect(await out.at.show(id)).to.include({ cancelAtPeriodEnd: true });
  });

  it('are known to a restored backup in which they wait', async () => {
    await out.stop();
    await out.ask(id, 'cancel');
    await out.start(speed);
    await out.settle();
    await out.stop();
    const stream = await out.stream();
    const first = stream?.cursor ?? 0;
    // As the backup has it: nothing was sent.
    if (stream !== null)
      await store().deliveryStreams.replace(
        { ...stream, cursor: first - 1, effects: new Map(), holder: null, fence: stream.fence + 1 },
        out.at.call(),
      );
    await out.ask(id, 'resume');
    expect(await out.reconcile()).to.deep.include({ differences: [] });
    expect(await both()).to.deep.equal([none, false, ['granted', cancel, resume]]);
  });
});
