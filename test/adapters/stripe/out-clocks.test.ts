import { expect } from 'chai';
import { freshShop } from '../../support/stripe/fresh-shop.ts';
import { cancel, OutShop, resume, update } from '../../support/stripe/out-shop.ts';

const second = 1000;

/** So fast that a second between two writes of a stream is not waited for. */
const speed = 20;

const scheduled = { atPeriodEnd: true, isAt: true };
const none = { atPeriodEnd: false, isAt: false };
const byInstant = { atPeriodEnd: false, isAt: true };

for (const lead of [-60, 2]) {
  describe(`changes on their way to Stripe, whose clock is ${lead} s ahead of ours`, () => {
    let out: OutShop;
    let id: string;
    freshShop(OutShop, (opened) => (out = opened));
    beforeEach(async () => {
      out.at.lead = lead * second;
      id = await out.at.subscribe();
      await out.start(speed);
    });

    const warnings = (): readonly unknown[] => out.logged.filter(({ level }) => level === 'warn');

    /** Everything is sent and looked at, and both sides say so. */
    async function endsAs(expected: { readonly atPeriodEnd: boolean; readonly isAt: boolean }): Promise<void> {
      await out.settle();
      await out.lookAt(id);
      expect(out.cancellationOf(id)).to.deep.equal(expected);
      expect(await out.at.show(id)).to.include({ cancelAtPeriodEnd: expected.isAt });
    }

    /** The buyer's cancellation lasts, and one line says that a resumption was not sent. */
    async function isDropped(): Promise<void> {
      await endsAs(byInstant);
      expect(warnings()).to.have.length(1);
      expect(warnings()[0]).to.include({ id }).and.have.property('message').that.includes('canceled there since');
    }

    it('a resumption undoes the cancellation that was sent before it', async () => {
      await out.ask(id, 'cancel');
      await out.settle();
      out.wait(second);
      await out.ask(id, 'resume');
      await endsAs(none);
      expect(await out.at.operations(id)).to.deep.equal(['granted', cancel, resume]);
      expect(warnings()).to.deep.equal([]);
    });

    it('a resumption undoes it after another process has taken over', async () => {
      await out.ask(id, 'cancel');
      await out.settle();
      await out.stop();
      out.wait(second);
      await out.ask(id, 'resume');
      await out.lookAt(id);
      await out.start(speed);
      await endsAs(none);
      expect(await out.at.operations(id)).to.deep.equal(['granted', cancel, resume]);
    });

    it('a resumption undoes a cancellation whose sender was killed before its delivery was stored', async () => {
      const held = out.at.shop.faults.hold(update);
      await out.ask(id, 'cancel');
      await held.arrived;
      await out.stop();
      held.release();
      out.wait(second);
      await out.ask(id, 'resume');
      await out.start(speed);
      await endsAs(none);
      expect(await out.at.operations(id)).to.deep.equal(['granted', cancel, resume]);
    });

    it('a resumption undoes a cancellation whose answer was lost', async () => {
      out.loseAnswer();
      await out.ask(id, 'cancel');
      await out.fails(id, 1);
      await out.ask(id, 'resume');
      out.wait(60 * second);
      await endsAs(none);
    });

    it("a resumption undoes the buyer's cancellation that was taken over before it", async () => {
      await out.at.shop.cancel(id);
      await out.lookAt(id);
      out.wait(second);
      await out.ask(id, 'resume');
      await endsAs(none);
      expect(warnings()).to.deep.equal([]);
    });

    it('a resumption undoes a cancellation at Stripe of what was canceled here already', async () => {
      await out.ask(id, 'cancel');
      await out.settle();
      out.wait(second);
      await out.at.shop.cancelAtPeriodEnd(id);
      await out.lookAt(id);
      out.wait(second);
      await out.ask(id, 'resume');
      await endsAs(none);
      expect(warnings()).to.deep.equal([]);
    });

    for (const looks of ['a look', 'the delivery', 'stripe reconcile --fix'] as const) {
      it(`the buyer's later cancellation wins over a resumption, which ${looks} drops`, async () => {
        await out.ask(id, 'cancel');
        await out.settle();
        await out.stop();
        out.wait(second);
        await out.ask(id, 'resume');
        out.wait(second);
        await out.at.shop.undoCancellation(id);
        await out.at.shop.cancel(id);
        if (looks === 'a look') await out.lookAt(id);
        if (looks === 'stripe reconcile --fix') {
          expect(await out.reconcile()).to.deep.equal({ compared: 1, fixed: 1, differences: [] });
        }
        await out.start(speed);
        if (looks === 'stripe reconcile --fix') await endsAs(byInstant);
        else await isDropped();
        const last = (await out.at.operations(id)).at(-1);
        expect(last).to.equal('cancellation_scheduled');
      });
    }

    it('a cancellation outlasts the resumption that was asked for before it', async () => {
      await out.stop();
      for (const kind of ['cancel', 'resume', 'cancel'] as const) {
        out.wait(second);
        await out.ask(id, kind);
      }
      await out.start(speed);
      await endsAs(scheduled);
    });
  });
}
