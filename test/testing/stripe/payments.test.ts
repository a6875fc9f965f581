import { expect } from 'chai';
import type Stripe from 'stripe';
import { fakeStripe, type FakeStripe } from '../../../testing/index.ts';
import { libraryOver } from '../../support/stripe/library.ts';
import { thrownBy } from '../../support/thrown.ts';

describe('the payments of fakeStripe', () => {
  let shop: FakeStripe;
  let stripe: Stripe;
  beforeEach(async () => {
    shop = await fakeStripe();
    stripe = libraryOver(shop);
  });
  afterEach(() => shop.stop());

  const lastTypes = (count: number): readonly string[] => shop.events.slice(-count).map(({ type }) => type);

  async function chargeOf(session: string): Promise<Stripe.Charge> {
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session, {
      expand: ['payment_intent.latest_charge.refunds'],
    });
    return (payment_intent as Stripe.PaymentIntent).latest_charge as Stripe.Charge;
  }

  it('buy something once, by a card', async () => {
    const session = await shop.purchase({ reference: 'order-1' });
    const { status, payment_status, client_reference_id, mode } = await stripe.checkout.sessions.retrieve(session);
    expect({ status, payment_status, client_reference_id, mode }).to.deep.equal({
      status: 'complete',
      payment_status: 'paid',
      client_reference_id: 'order-1',
      mode: 'payment',
    });
    expect(lastTypes(3)).to.deep.equal(['payment_intent.succeeded', 'charge.succeeded', 'checkout.session.completed']);
    const { payment_intent } = await chargeOf(session);
    const found = await stripe.checkout.sessions.list({ payment_intent: payment_intent as string });
    expect(found.data.map(({ id }) => id)).to.deep.equal([session]);
    const { data } = await stripe.checkout.sessions.listLineItems(session);
    expect(data.map(({ price }) => price?.type)).to.deep.equal(['one_time']);
  });

  it('buy several things at once, of which the session shows ten', async () => {
    const price = Array.from({ length: 12 }, () => shop.addPrice({ interval: null, amount: 100 }));
    const session = await shop.purchase({ price });
    const { line_items: lines, amount_total } = await stripe.checkout.sessions.retrieve(session, {
      expand: ['line_items'],
    });
    expect([lines?.data.length, lines?.has_more, amount_total]).to.deep.equal([10, true, 1200]);
    const { data } = await stripe.checkout.sessions.listLineItems(session, { limit: 100 });
    expect(data.map((line) => line.price?.id)).to.deep.equal(price);
  });

  it('buy something for nothing', async () => {
    const session = await shop.purchase({ payment: 'free' });
    expect(shop.object(session)).to.include({ payment_status: 'no_payment_required', payment_intent: null });
  });

  it('arrive days later, or fail', async () => {
    for (const [outcome, type, status] of [
      ['succeeds', 'checkout.session.async_payment_succeeded', 'paid'],
      ['fails', 'checkout.session.async_payment_failed', 'unpaid'],
    ] as const) {
      const session = await shop.purchase({ payment: 'delayed' });
      expect(shop.object(session)).to.include({ status: 'complete', payment_status: 'unpaid' });
      await shop.settle(session, outcome);
      expect([lastTypes(1)[0], shop.object(session)['payment_status']]).to.deep.equal([type, status]);
    }
  });

  it('are refunded in part and in full, and a refund can fail', async () => {
    const session = await shop.purchase({ price: shop.addPrice({ interval: null, amount: 900 }) });
    await shop.refund(session, 300);
    expect(await chargeOf(session)).to.include({ amount_refunded: 300, refunded: false });
    await shop.refund(session);
    const charge = await chargeOf(session);
    expect(charge).to.include({ amount_refunded: 900, refunded: true });
    expect(charge.refunds?.data.map(({ amount }) => amount)).to.deep.equal([300, 600]);
    expect(lastTypes(2)).to.deep.equal(['refund.created', 'charge.refunded']);
    await shop.failRefund(session);
    expect(await chargeOf(session)).to.include({ amount_refunded: 300, refunded: false });
    const { data } = await stripe.refunds.list({ charge: charge.id });
    expect(data.map(({ status }) => status)).to.deep.equal(['failed', 'succeeded']);
    expect(lastTypes(1)).to.deep.equal(['refund.failed']);
  });

  it('are refunded and disputed by their number, in part', async () => {
    const { subscription } = await shop.subscribe({ price: shop.addPrice({ amount: 900 }) });
    await shop.renew(subscription);
    await shop.refund(subscription, 300, { payment: 0 });
    await shop.dispute(subscription, 'dispute', { amount: 400, payment: 0 });
    const [latest, first] = (await stripe.charges.list()).data;
    const facts = [latest, first].map((charge) => [charge?.amount_refunded, charge?.disputed]);
    expect(facts).to.deep.equal([
      [0, false],
      [300, true],
    ]);
    const { data } = await stripe.disputes.list({ charge: first?.id ?? '' });
    expect(data.map(({ amount, status }) => [amount, status])).to.deep.equal([[400, 'needs_response']]);
    await shop.closeDispute(subscription, 'won');
    await shop.failRefund(subscription);
    expect(shop.object(first?.id ?? '')).to.include({ amount_refunded: 0 });
    for (const wrong of [
      shop.refund(subscription, 1, { payment: 2 }),
      shop.dispute(subscription, 'dispute', { amount: 901 }),
    ])
      expect(await thrownBy(wrong)).to.be.instanceOf(TypeError);
  });

  it('are disputed, and the dispute is won or lost', async () => {
    const { subscription } = await shop.subscribe();
    const [charge] = (await stripe.charges.list()).data;
    const statuses = async (): Promise<readonly string[]> =>
      (await stripe.disputes.list({ charge: charge?.id ?? '' })).data.map(({ status }) => status);
    await shop.dispute(subscription, 'inquiry');
    expect(await statuses()).to.deep.equal(['warning_needs_response']);
    await shop.closeDispute(subscription, 'warning_closed');
    await shop.dispute(subscription);
    expect(await statuses()).to.deep.equal(['needs_response', 'warning_closed']);
    expect(lastTypes(2)).to.deep.equal(['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
    await shop.closeDispute(subscription, 'won');
    expect(await statuses()).to.deep.equal(['won', 'warning_closed']);
    expect(lastTypes(2)).to.deep.equal(['charge.dispute.closed', 'charge.dispute.funds_reinstated']);
    const { disputed } = await stripe.charges.retrieve(charge?.id ?? '');
    expect(disputed).to.equal(true);
  });

  it('list prices, endpoints and the account', async () => {
    const [first, second] = [shop.addPrice(), shop.addPrice({ active: false, interval: null })];
    const ids = async (params: Stripe.PriceListParams): Promise<readonly string[]> =>
      (await stripe.prices.list(params)).data.map(({ id }) => id);
    expect(await ids({})).to.deep.equal([second, first]);
    expect(await ids({ active: true })).to.deep.equal([first]);
    expect(await ids({ type: 'one_time' })).to.deep.equal([second]);
    const endpoint = shop.addEndpoint({ url: 'http://127.0.0.1:9/hooks', events: ['invoice.paid'] });
    const listed = await stripe.webhookEndpoints.list();
    expect(listed.data.map(({ id, enabled_events }) => [id, enabled_events])).to.deep.equal([
      [endpoint, ['invoice.paid']],
    ]);
    expect((await stripe.accounts.retrieveCurrent()).id).to.match(/^acct_/);
  });

  it('are listed in pages, the newest first', async () => {
    const sessions = [await shop.purchase(), await shop.purchase(), await shop.purchase()].toReversed();
    const all: string[] = [];
    for await (const { id } of stripe.checkout.sessions.list({ limit: 2, status: 'complete' })) all.push(id);
    expect(all).to.deep.equal(sessions);
    const { data, has_more } = await stripe.checkout.sessions.list({ limit: 1, ending_before: sessions[2] ?? '' });
    expect([data.map(({ id }) => id), has_more]).to.deep.equal([[sessions[1]], true]);
  });
});
