import { expect } from 'chai';
import type Stripe from 'stripe';
import { fakeStripe, type FakeStripe } from '../../../testing/index.ts';
import { libraryOver } from '../../support/stripe/library.ts';

const at = (instant: string): number => Date.parse(instant) / 1000;

describe('the subscriptions of fakeStripe', () => {
  let shop: FakeStripe;
  let stripe: Stripe;
  let now: Date;
  beforeEach(async () => {
    now = new Date('2026-01-31T10:00:00Z');
    shop = await fakeStripe({ clock: { now: () => now } });
    stripe = libraryOver(shop);
  });
  afterEach(() => shop.stop());

  const typesSince = (count: number): readonly string[] => shop.events.slice(count).map(({ type }) => type);

  async function facts(id: string): Promise<Record<string, unknown>> {
    const { status, items, cancel_at, cancel_at_period_end, canceled_at, ended_at } =
      await stripe.subscriptions.retrieve(id);
    const [item] = items.data;
    const period = [item?.current_period_start, item?.current_period_end];
    return { status, period, price: item?.price.id, cancel_at, cancel_at_period_end, canceled_at, ended_at };
  }

  const ids = async (status?: 'all' | 'canceled'): Promise<readonly string[]> => {
    const { data } = await stripe.subscriptions.list(status === undefined ? {} : { status });
    return data.map(({ id }) => id);
  };

  /** Does something, and returns the types of its events and what it changed in the subscription. */
  async function changed(id: string, change: () => Promise<void>): Promise<Record<string, unknown>> {
    const before = await facts(id);
    const count = shop.events.length;
    await change();
    const after = await facts(id);
    const differences = Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
    );
    return { events: typesSince(count), ...Object.fromEntries(differences) };
  }

  it('have no period that Stripe refuses', () => {
    const longest = { day: 1095, week: 156, month: 36, year: 3 };
    for (const [interval, count] of Object.entries(longest) as [keyof typeof longest, number][]) {
      shop.addPrice({ interval, intervalCount: count });
      for (const intervalCount of [0, -1, 1.5, Number.NaN, count + 1]) {
        const message = `intervalCount must be a whole number from 1 to ${count} with the interval ${interval}.`;
        expect(() => shop.addPrice({ interval, intervalCount })).to.throw(TypeError, message);
      }
    }
    const message = 'intervalCount does not go with a price that is paid once.';
    expect(() => shop.addPrice({ interval: null, intervalCount: 2 })).to.throw(TypeError, message);
  });

  it('begin in a checkout session, with a paid invoice', async () => {
    const price = shop.addPrice({ amount: 500 });
    const { subscription, session } = await shop.subscribe({ price, quantity: 2, reference: 'seat-7' });
    expect(await facts(subscription)).to.deep.equal({
      status: 'active',
      period: [at('2026-01-31T10:00:00Z'), at('2026-02-28T10:00:00Z')],
      price,
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      ended_at: null,
    });
    const { data } = await stripe.checkout.sessions.list({ subscription, expand: ['data.line_items'] });
    const [{ id, payment_status, client_reference_id, line_items } = {} as Stripe.Checkout.Session] = data;
    expect([id, payment_status, client_reference_id]).to.deep.equal([session, 'paid', 'seat-7']);
    expect(line_items?.data.map((line) => [line.price?.id, line.quantity])).to.deep.equal([[price, 2]]);
    const read = await stripe.subscriptions.retrieve(subscription, { expand: ['latest_invoice.payments'] });
    const invoice = read.latest_invoice as Stripe.Invoice;
    expect([invoice.status, invoice.amount_paid]).to.deep.equal(['paid', 1000]);
    expect(invoice.parent?.subscription_details?.subscription).to.equal(subscription);
    const intent = invoice.payments?.data[0]?.payment.payment_intent as string;
    const { latest_charge } = await stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] });
    expect(latest_charge).to.deep.include({ amount: 1000, paid: true, refunded: false, disputed: false });
    const listed = await stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: intent },
      expand: ['data.invoice'],
    });
    expect(listed.data.map((payment) => (payment.invoice as Stripe.Invoice).id)).to.deep.equal([invoice.id]);
    expect(shop.events.map(({ type }) => type)).to.include.members([
      'customer.subscription.created',
      'customer.subscription.updated',
      'invoice.paid',
      'charge.succeeded',
      'checkout.session.completed',
    ]);
  });

  it('are incomplete until the first payment succeeds, and then complete their session', async () => {
    const { subscription, session } = await shop.subscribe({ payment: 'fails' });
    expect(await facts(subscription)).to.include({ status: 'incomplete' });
    expect(shop.events.at(-1)?.type).to.equal('invoice.payment_failed');
    expect(shop.object(session ?? '')).to.include({ status: 'open', payment_status: 'unpaid', subscription: null });
    await shop.pay(subscription);
    expect(await facts(subscription)).to.include({ status: 'active' });
    expect(shop.object(session ?? '')).to.include({ status: 'complete', payment_status: 'paid', subscription });
  });

  it('have a trial that costs nothing, and a first period when it ends', async () => {
    const { subscription } = await shop.subscribe({ trialDays: 14, checkout: false });
    expect(await facts(subscription)).to.deep.include({
      status: 'trialing',
      period: [at('2026-01-31T10:00:00Z'), at('2026-02-14T10:00:00Z')],
    });
    const { latest_invoice } = await stripe.subscriptions.retrieve(subscription, {
      expand: ['latest_invoice.payments'],
    });
    expect(latest_invoice).to.deep.include({ status: 'paid', amount_due: 0 });
    expect((latest_invoice as Stripe.Invoice).payments?.data).to.deep.equal([]);
    now = new Date('2026-02-03T10:00:00Z');
    expect(await changed(subscription, () => shop.endTrial(subscription))).to.deep.include({
      status: 'active',
      period: [at('2026-02-03T10:00:00Z'), at('2026-03-03T10:00:00Z')],
    });
  });

  it('renew by the anchor, and wait for a payment that fails', async () => {
    const { subscription } = await shop.subscribe();
    const renewed = await changed(subscription, () => shop.renew(subscription));
    expect(renewed['period']).to.deep.equal([at('2026-02-28T10:00:00Z'), at('2026-03-31T10:00:00Z')]);
    expect(renewed['events']).to.include.members(['customer.subscription.updated', 'invoice.paid']);
    const failed = await changed(subscription, () => shop.failPayment(subscription));
    expect(failed).to.deep.include({
      status: 'past_due',
      period: [at('2026-03-31T10:00:00Z'), at('2026-04-30T10:00:00Z')],
    });
    expect(failed['events']).to.include.members(['invoice.payment_failed', 'charge.failed']);
    expect(await changed(subscription, () => shop.stopRetries(subscription, 'unpaid'))).to.deep.equal({
      events: ['customer.subscription.updated'],
      status: 'unpaid',
    });
    expect(await changed(subscription, () => shop.pay(subscription))).to.include({ status: 'active' });
  });

  it('are canceled by an instant in the portal, and by the flag, and end then', async () => {
    const { subscription } = await shop.subscribe();
    const events = ['customer.subscription.updated'];
    const periodEnd = at('2026-02-28T10:00:00Z');
    const canceled_at = at('2026-01-31T10:00:00Z');
    const byPortal = await changed(subscription, () => shop.cancel(subscription));
    expect(byPortal).to.deep.equal({ events, cancel_at: periodEnd, canceled_at });
    const undone = { events, cancel_at: null, canceled_at: null };
    expect(await changed(subscription, () => shop.undoCancellation(subscription))).to.deep.equal(undone);
    const byFlag = await changed(subscription, () => shop.cancelAtPeriodEnd(subscription));
    expect(byFlag).to.deep.equal({ events, cancel_at: periodEnd, cancel_at_period_end: true, canceled_at });
    expect(await changed(subscription, () => shop.renew(subscription))).to.deep.equal({
      events: ['customer.subscription.deleted'],
      status: 'canceled',
      ended_at: periodEnd,
    });
  });

  it('are paused and resumed, and their collection too', async () => {
    const { subscription } = await shop.subscribe();
    await shop.pause(subscription);
    expect([shop.events.at(-1)?.type, shop.object(subscription)['status']]).to.deep.equal([
      'customer.subscription.paused',
      'paused',
    ]);
    await shop.resume(subscription);
    expect([shop.events.at(-1)?.type, shop.object(subscription)['status']]).to.deep.equal([
      'customer.subscription.resumed',
      'active',
    ]);
    await shop.pauseCollection(subscription);
    expect(shop.object(subscription)['pause_collection']).to.deep.equal({ behavior: 'void', resumes_at: null });
    await shop.resumeCollection(subscription);
    expect(shop.object(subscription)['pause_collection']).to.equal(null);
  });

  it('keep their period with another price of the same interval, and begin one with another interval', async () => {
    const { subscription } = await shop.subscribe();
    const [team, yearly] = [shop.addPrice({ amount: 2900 }), shop.addPrice({ interval: 'year' })];
    now = new Date('2026-02-10T00:00:00Z');
    expect(await changed(subscription, () => shop.changePrice(subscription, team))).to.deep.equal({
      events: ['customer.subscription.updated'],
      price: team,
    });
    const before = shop.events.at(-1)?.data.previous_attributes ?? {};
    expect(Object.keys(before)).to.deep.equal(['items']);
    expect(await changed(subscription, () => shop.changePrice(subscription, yearly))).to.deep.include({
      price: yearly,
      period: [at('2026-02-10T00:00:00Z'), at('2027-02-10T00:00:00Z')],
    });
    await shop.changeQuantity(subscription, 7);
    const { data } = await stripe.subscriptionItems.list({ subscription });
    expect(data.map(({ quantity }) => quantity)).to.deep.equal([7]);
  });

  it('embed ten items, and list the others', async () => {
    const price = Array.from({ length: 12 }, () => shop.addPrice());
    const { subscription } = await shop.subscribe({ price });
    const { items } = await stripe.subscriptions.retrieve(subscription);
    expect([items.data.length, items.has_more]).to.deep.equal([10, true]);
    const rest = await stripe.subscriptionItems.list({ subscription, starting_after: items.data.at(-1)?.id ?? '' });
    const prices = [...items.data, ...rest.data].map((item) => item.price.id);
    expect([prices, rest.has_more]).to.deep.equal([price, false]);
  });

  it('are listed without those that ended, unless all are asked for', async () => {
    const [first, second] = [await shop.subscribe(), await shop.subscribe()];
    await shop.end(first.subscription);
    expect(await ids()).to.deep.equal([second.subscription]);
    expect(await ids('all')).to.deep.equal([second.subscription, first.subscription]);
    expect(await ids('canceled')).to.deep.equal([first.subscription]);
  });

  it('are canceled and resumed by the API, whose events name the request', async () => {
    const { subscription } = await shop.subscribe();
    const count = shop.events.length;
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: true }, { idempotencyKey: 'once' });
    const [event] = shop.events.slice(count);
    expect([event?.type, event?.request.idempotency_key]).to.deep.equal(['customer.subscription.updated', 'once']);
    await stripe.subscriptions.update(subscription, { cancel_at: '' });
    expect(shop.object(subscription)).to.include({ cancel_at_period_end: true });
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: false });
    expect(shop.object(subscription)).to.include({ cancel_at_period_end: false, cancel_at: null });
    await shop.cancel(subscription, '2026-02-15T00:00:00Z');
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: false });
    expect(shop.object(subscription)).to.include({ cancel_at: at('2026-02-15T00:00:00Z') });
    await stripe.subscriptions.update(subscription, { cancel_at: '' });
    expect(shop.object(subscription)).to.include({ cancel_at: null });
    await stripe.subscriptions.cancel(subscription);
    expect(shop.object(subscription)).to.include({ status: 'canceled', ended_at: at('2026-01-31T10:00:00Z') });
  });
});
