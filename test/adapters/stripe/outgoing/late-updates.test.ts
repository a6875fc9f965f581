import { expect } from 'chai';
import type { LateRequest } from '../../../../testing/index.ts';
import { freshStore, stores } from '../../../support/stores/stores.ts';
import { cancel, OutShop, resume, update } from '../../../support/stripe/out-shop.ts';

const second = 1000;
const minute = 60 * second;

/** So fast that a second between two writes of a stream is not waited for. */
const speed = 20;

const none = { atPeriodEnd: false, isAt: false };
const byFlag = { atPeriodEnd: true, isAt: true };
const byInstant = { atPeriodEnd: false, isAt: true };

for (const { name, open } of stores) {
  describe(`updates that Stripe gets late, on the ${name} store`, () => {
    const store = freshStore(open);
    let out: OutShop;
    let id: string;

    beforeEach(async () => {
      out = await OutShop.open(store());
      id = await out.at.subscribe();
      await out.start(speed);
    });
    afterEach(() => out.close());

    /** Asks for a change here, whose update is on its way to Stripe when its first attempt has failed. */
    async function askLate(kind: 'cancel' | 'resume'): Promise<LateRequest> {
      const late = out.at.shop.faults.late(update);
      // The library repeats it once.
      out.at.shop.faults.cut(update);
      await out.ask(id, kind);
      await late.cut;
      await out.fails(id, 1);
      return late;
    }

    /** Everything is sent and looked at, and both sides agree. */
    async function endsAs(
      expected: { readonly atPeriodEnd: boolean; readonly isAt: boolean },
      operations: readonly string[],
    ): Promise<void> {
      out.wait(minute);
      await out.settle();
      await out.lookAt(id);
      expect(out.cancellationOf(id)).to.deep.equal(expected);
      expect(await out.at.show(id)).to.include({ cancelAtPeriodEnd: expected.isAt });
      expect(await out.operations(id, ['granted', ...operations])).to.deep.equal(['granted', ...operations]);
    }

    it('cancel nothing that was resumed before they arrive', async () => {
      const late = await askLate('cancel');
      out.wait(second);
      await out.ask(id, 'resume');
      await endsAs(none, [cancel, resume]);
      await late.arrive();
      await endsAs(none, [cancel, resume]);
    });

    for (const seconds of [1, 20, 600]) {
      it(`are not taken for the buyer's when they arrive after ${seconds} s, with a resumption waiting`, async () => {
        const late = await askLate('cancel');
        await out.ask(id, 'resume');
        out.wait(seconds * second);
        await late.arrive();
        await out.lookAt(id);
        expect(await out.at.operations(id)).to.deep.equal(['granted', cancel, resume]);
        await endsAs(none, [cancel, resume]);
      });
    }

    it("are not taken for the buyer's after their sender was killed", async () => {
      const late = out.at.shop.faults.late(update);
      out.at.shop.faults.cut(update);
      await out.ask(id, 'cancel');
      await late.cut;
      await out.stop();
      await out.ask(id, 'resume');
      out.wait(20 * second);
      await late.arrive();
      await out.lookAt(id);
      await out.start(speed);
      await endsAs(none, [cancel, resume]);
    });

    it("are not taken for the buyer's by stripe reconcile --fix beside a server", async () => {
      const late = await askLate('cancel');
      await out.ask(id, 'resume');
      out.wait(20 * second);
      await late.arrive();
      await out.reconcile();
      expect(out.cancellationOf(id)).to.deep.equal(none);
      await endsAs(none, [cancel, resume]);
    });

    it('cancel nothing after stripe reconcile --fix has sent the resumption', async () => {
      const late = await askLate('cancel');
      await out.ask(id, 'resume');
      await out.reconcile();
      await late.arrive();
      await endsAs(none, [cancel, resume]);
    });

    it('cancel, although Stripe has answered with a fault that it repeats', async () => {
      out.at.shop.faults.answer(update, 500, { afterEffect: true });
      await out.ask(id, 'cancel');
      await out.fails(id, 1);
      await out.ask(id, 'resume');
      await endsAs(none, [cancel, resume]);
    });

    it('resume nothing that was canceled again before they arrive', async () => {
      await out.ask(id, 'cancel');
      await out.settle();
      out.wait(second);
      const late = await askLate('resume');
      out.wait(second);
      await out.ask(id, 'cancel');
      await endsAs(byFlag, [cancel, resume, cancel]);
      await late.arrive();
      await endsAs(byFlag, [cancel, resume, cancel]);
    });

    it('leave known what a resumption undoes, until it is undone', async () => {
      await out.ask(id, 'cancel');
      await out.settle();
      out.wait(20 * second);
      await askLate('resume');
      await out.lookAt(id);
      expect(await out.at.operations(id)).to.deep.equal(['granted', cancel, resume]);
      await endsAs(none, [cancel, resume]);
    });

    for (const [how, expected] of [
      ['cancel', byInstant],
      ['cancelAtPeriodEnd', byFlag],
    ] as const) {
      it(`leave the buyer's own cancellation, which comes at the same time (${how})`, async () => {
        const late = await askLate('cancel');
        await out.ask(id, 'resume');
        out.wait(second);
        await out.at.shop[how](id);
        await endsAs(expected, [cancel, resume, 'cancellation_scheduled']);
        await late.arrive();
        await endsAs(expected, [cancel, resume, 'cancellation_scheduled']);
      });

      it(`leave the buyer's own cancellation, which comes after them (${how})`, async () => {
        const late = await askLate('cancel');
        await out.ask(id, 'resume');
        await late.arrive();
        out.wait(second);
        await out.at.shop.undoCancellation(id);
        await out.at.shop[how](id);
        await endsAs(expected, [cancel, resume, 'cancellation_scheduled']);
      });
    }
  });
}
