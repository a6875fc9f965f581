import { expect } from 'chai';
import type { ChangeReason } from '../../../../core/entitlement/history-entry.ts';
import { day, later, noon } from '../../../support/builders.ts';
import { freshShop } from '../../../support/stripe/fresh-shop.ts';
import { LookedAtShop } from '../../../support/stripe/looked-at-shop.ts';

// The data of Stripe alone decides, so the memory store is enough.
describe('access to a period', () => {
  let at: LookedAtShop;
  freshShop(LookedAtShop, (opened) => (at = opened));

  const status = async (id: string): Promise<string | undefined> => {
    await at.lookAt(id);
    return (await at.show(id))?.status;
  };
  const invoiceOf = (id: string): string => String(at.shop.object(id)['latest_invoice']);
  const reason = async (id: string): Promise<ChangeReason | null | undefined> =>
    (await at.administration.showHistory(id, at.call())).find(({ operation }) => operation === 'suspended')?.reason;

  /** A year that is paid, with its invoice. */
  async function aYear(): Promise<{ readonly id: string; readonly year: string }> {
    const id = await at.subscribe({ price: 'price_team' });
    return { id, year: invoiceOf(id) };
  }

  for (const kind of ['subscription_update', 'subscription_threshold', 'manual'] as const) {
    it(`stays where an invoice of ${kind} is refunded, disputed or not paid`, async () => {
      const { id } = await aYear();
      await at.shop.refund(await at.shop.billInTheMiddle(id, { reason: kind }));
      expect(await status(id)).to.equal('active');
      await at.shop.dispute(await at.shop.billInTheMiddle(id, { reason: kind }));
      expect(await status(id)).to.equal('active');
      await at.shop.closeDispute(id, 'lost');
      expect(await status(id)).to.equal('active');
      await at.shop.billInTheMiddle(id, { reason: kind, payment: 'fails' });
      at.now = later(100 * day);
      await at.lookAt(id);
      expect(await at.show(id)).to.include({ active: true });
      at.now = later(360 * day);
      expect(await at.show(id)).to.include({ active: true });
    });

    it(`ends where the period is refunded, though an invoice of ${kind} is paid after it`, async () => {
      const { id, year } = await aYear();
      await at.shop.billInTheMiddle(id, { reason: kind });
      await at.shop.refund(year);
      expect(await status(id)).to.equal('suspended');
      expect(await reason(id)).to.equal('refunded');
      await at.shop.billInTheMiddle(id, { reason: kind });
      expect(await status(id)).to.equal('suspended');
    });
  }

  it('ends where the period is disputed or lost after an upgrade, with that reason', async () => {
    const { id, year } = await aYear();
    await at.shop.billInTheMiddle(id);
    await at.shop.dispute(year);
    expect(await status(id)).to.equal('suspended');
    expect(await reason(id)).to.equal('disputed');
    await at.shop.closeDispute(year, 'won');
    expect(await status(id)).to.equal('active');
    await at.shop.dispute(year);
    await at.shop.closeDispute(year, 'lost');
    expect(await status(id)).to.equal('suspended');
    expect(await reason(id)).to.equal('dispute_lost');
  });

  it('comes back once the next period is paid, and not while its invoice is open', async () => {
    const id = await at.subscribe();
    await at.shop.refund(id);
    expect(await status(id)).to.equal('suspended');
    await at.shop.failPayment(id);
    expect(await status(id)).to.equal('suspended');
    await at.shop.pay(id);
    expect(await status(id)).to.equal('active');
  });

  it('rests on the invoice of a change of the interval, which begins a period', async () => {
    const id = await at.subscribe();
    const month = invoiceOf(id);
    at.now = later(5 * day);
    await at.shop.changePrice(id, 'price_team');
    const year = invoiceOf(id);
    await at.shop.billInTheMiddle(id);
    await at.shop.refund(month);
    expect(await status(id)).to.equal('active');
    await at.shop.refund(year);
    expect(await status(id)).to.equal('suspended');
  });

  it('rests on nothing during a trial, and on the first payment after it', async () => {
    const id = await at.subscribe({ trialDays: 14 });
    await at.shop.refund(await at.shop.billInTheMiddle(id));
    expect(await status(id)).to.equal('trialing');
    at.now = later(5 * day);
    await at.shop.endTrial(id);
    const first = invoiceOf(id);
    await at.shop.billInTheMiddle(id);
    await at.shop.refund(first);
    expect(await status(id)).to.equal('suspended');
  });

  it('is read with one more request at most, and only after an invoice in the middle', async () => {
    const { id } = await aYear();
    const requests = async (): Promise<number> => {
      const { length } = at.shop.requests;
      await at.lookAt(id);
      return at.shop.requests.length - length;
    };
    const before = await requests();
    await at.shop.billInTheMiddle(id);
    expect(await requests()).to.equal(before + 1);
    at.now = new Date(noon.getTime() + 365 * day);
    await at.shop.renew(id);
    await at.lookAt(id);
    expect(await requests()).to.equal(before);
  });
});
