import { expect } from 'chai';
import { hour } from '../../../support/builders.ts';
import { freshShop } from '../../../support/stripe/fresh-shop.ts';
import { OutShop } from '../../../support/stripe/out-shop.ts';

/** `managed_payments` is one more member of the same objects: everything is read as without it. */
describe('sales of which Stripe is the merchant of record', () => {
  let out: OutShop;
  freshShop(OutShop, (opened) => (out = opened));
  beforeEach(async () => {
    await out.start();
  });

  const managed = { managedPayments: true } as const;
  const status = async (id: string): Promise<unknown> => (await out.at.show(id))?.status;
  const differences = async (): Promise<readonly unknown[]> => (await out.reconcile(false)).differences;
  const looked = async (id: string): Promise<unknown> => {
    await out.lookAt(id);
    expect(await differences()).to.deep.equal([]);
    return status(id);
  };

  it('say so on the session and the subscription, and no others do', async () => {
    const { shop } = out.at;
    const { subscription, session } = await shop.subscribe({ price: 'price_pro', ...managed });
    const bought = await shop.purchase({ price: 'price_once', ...managed });
    for (const id of [subscription, session ?? '', bought]) {
      expect(shop.object(id)['managed_payments'], id).to.deep.equal({ enabled: true });
    }
    const plain = await shop.subscribe({ price: 'price_pro' });
    for (const id of [plain.subscription, plain.session ?? '', await shop.purchase({ price: 'price_once' })]) {
      expect(shop.object(id)['managed_payments'], id).to.equal(null);
    }
  });

  it('are granted, renewed, canceled and resumed by the buyer, and end', async () => {
    const { shop } = out.at;
    const id = await out.at.subscribe(managed);
    expect(await looked(id)).to.equal('active');
    const end = (await out.at.show(id))?.currentPeriodEnd;
    out.at.now = new Date((end?.getTime() ?? 0) + hour);
    await shop.renew(id);
    expect(await looked(id)).to.equal('active');
    await shop.cancel(id);
    await looked(id);
    expect((await out.at.show(id))?.cancelAt).to.not.equal(null);
    await shop.undoCancellation(id);
    await looked(id);
    expect((await out.at.show(id))?.cancelAt).to.equal(null);
    await shop.end(id);
    expect(await looked(id)).to.equal('canceled');
  });

  it('lose access by a refund and a dispute that the seller did not make, and have it again', async () => {
    const { shop } = out.at;
    const id = await out.at.subscribe(managed);
    await shop.refund(id);
    expect(await looked(id)).to.equal('suspended');
    await shop.failRefund(id);
    expect(await looked(id)).to.equal('active');
    await shop.dispute(id);
    expect(await looked(id)).to.equal('suspended');
    await shop.closeDispute(id, 'won');
    expect(await looked(id)).to.equal('active');
    const bought = await out.at.purchase(managed);
    expect(await looked(bought)).to.equal('active');
    await shop.refund(bought);
    expect(await looked(bought)).to.equal('revoked');
  });

  it('are suspended, reinstated, canceled and revoked from here as all others', async () => {
    const id = await out.at.subscribe(managed);
    for (const [action, state] of [
      ['suspend', 'suspended'],
      ['reinstate', 'active'],
      ['cancel', 'active'],
      ['revoke', 'revoked'],
    ] as const) {
      await out.ask(id, action);
      await out.settle();
      expect(await looked(id), action).to.equal(state);
    }
    expect(out.at.shop.object(id)).to.include({ status: 'canceled' });
  });
});
