import { expect } from 'chai';
import type Stripe from 'stripe';
import { fakeStripe, type FakeStripe } from '../../../testing/index.ts';
import { libraryOver, refusedBy } from '../../support/stripe/library.ts';

describe('fakeStripe', () => {
  let shop: FakeStripe;
  let stripe: Stripe;
  let subscription: string;
  beforeEach(async () => {
    shop = await fakeStripe();
    stripe = libraryOver(shop);
    ({ subscription } = await shop.subscribe());
  });
  afterEach(() => shop.stop());

  const update = (params: Stripe.SubscriptionUpdateParams): Promise<Stripe.Subscription> =>
    stripe.subscriptions.update(subscription, params);

  const retrieveWith = (path: string): Promise<unknown> =>
    stripe.subscriptions.retrieve(subscription, { expand: [path] });
  const listWith = (path: string): Promise<unknown> => stripe.subscriptions.list({ expand: [path] });

  it('refuses more than four levels of expand, in which data counts', async () => {
    await retrieveWith('latest_invoice.payments.data.payment');
    expect(await refusedBy(retrieveWith('latest_invoice.payments.data.payment.payment_intent'))).to.deep.equal({
      status: 400,
      type: 'invalid_request_error',
      code: undefined,
      message:
        'You cannot expand more than 4 levels of a property. Property: ' +
        'latest_invoice.payments.data.payment.payment_intent',
    });
    await listWith('data.latest_invoice.payments.data');
    expect(await refusedBy(listWith('data.latest_invoice.payments.data.payment'))).to.include({ status: 400 });
  });

  it('refuses to expand what is no reference', async () => {
    expect(await refusedBy(stripe.subscriptions.retrieve(subscription, { expand: ['currency'] }))).to.include({
      status: 400,
      message: 'This property cannot be expanded (currency).',
    });
    expect(await refusedBy(stripe.subscriptions.list({ expand: ['latest_invoice'] }))).to.include({ status: 400 });
  });

  it('refuses both ways to cancel at once', async () => {
    expect(await refusedBy(update({ cancel_at_period_end: true, cancel_at: '' }))).to.include({
      status: 400,
      message: 'You may only specify one of these parameters: cancel_at, cancel_at_period_end.',
    });
    expect(shop.object(subscription)).to.include({ cancel_at: null, cancel_at_period_end: false });
  });

  it('refuses to cancel what has ended, but lets it be described', async () => {
    await shop.end(subscription);
    for (const change of [{ cancel_at_period_end: true }, { cancel_at_period_end: false }, { cancel_at: '' }] as const)
      expect(await refusedBy(update(change))).to.include({
        status: 400,
        message: 'A canceled subscription can only update its cancellation_details and metadata.',
      });
    expect((await update({ metadata: { note: 'left' } })).metadata).to.deep.equal({ note: 'left' });
    expect(await refusedBy(stripe.subscriptions.cancel(subscription))).to.include({ code: 'resource_missing' });
  });

  it('refuses to cancel what a schedule manages', async () => {
    await shop.schedule(subscription);
    for (const change of [{ cancel_at_period_end: true }, { cancel_at: '' }] as const)
      expect((await refusedBy(update(change))).message).to.match(
        /^The subscription is managed by the subscription schedule `sub_sched_\w+`, and updating any cancelation/,
      );
  });

  it('refuses to cancel in the past', async () => {
    expect(await refusedBy(update({ cancel_at: 1 }))).to.include({ status: 400 });
  });

  it('refuses parameters that Stripe does not know, nested ones too', async () => {
    const unknown = [
      () => stripe.subscriptions.retrieve(subscription, { colour: 'red' } as object),
      () => stripe.subscriptions.update(subscription, { at_period_end: true } as object),
      () => stripe.invoicePayments.list({ payment: { colour: 'red' } } as object),
      () => stripe.events.list({ created: { after: 1 } } as object),
      () => stripe.disputes.list({ subscription } as object),
    ];
    for (const request of unknown)
      expect(await refusedBy(request())).to.include({ status: 400, code: 'parameter_unknown' });
  });

  it('refuses values of another type, and a list of items of no subscription', async () => {
    expect(await refusedBy(update({ cancel_at_period_end: 'yes' as unknown as boolean }))).to.include({
      message: 'Invalid boolean: yes',
    });
    expect(await refusedBy(stripe.events.list({ limit: 101 }))).to.include({ code: 'parameter_invalid_integer' });
    expect(await refusedBy(stripe.subscriptionItems.list({} as { subscription: string }))).to.include({
      code: 'parameter_missing',
    });
  });

  it('has nothing of another account', async () => {
    const requests = [
      () => stripe.subscriptions.retrieve('sub_other'),
      () => stripe.customers.retrieve('cus_other'),
      () => stripe.checkout.sessions.retrieve('cs_test_other'),
      () => stripe.checkout.sessions.listLineItems('cs_test_other'),
      () => stripe.subscriptionItems.list({ subscription: 'sub_other' }),
      () => stripe.events.list({ starting_after: 'evt_other' }),
    ];
    for (const request of requests)
      expect(await refusedBy(request())).to.include({ status: 404, code: 'resource_missing' });
    expect((await refusedBy(stripe.coupons.list())).message).to.include('fakeStripe has no such endpoint');
  });

  it('knows its keys, their permissions, and whether they have expired', async () => {
    const retrieve = (key: string): Promise<unknown> => libraryOver(shop, key).subscriptions.retrieve(subscription);
    expect(await refusedBy(retrieve('sk_test_other'))).to.include({ status: 401 });
    shop.expireKey();
    expect(await refusedBy(retrieve(shop.apiKey))).to.include({ status: 401, code: 'api_key_expired' });
    shop.restoreKey();
    await retrieve(shop.apiKey);
    const reader = shop.restrictedKey({ subscription: 'read' });
    await retrieve(reader);
    const refused = await refusedBy(libraryOver(shop, reader).subscriptions.update(subscription, { cancel_at: '' }));
    expect(refused.status).to.equal(403);
    expect(refused.message).to.match(/Having the 'rak_subscription_write' permission would allow this request/);
    expect(await refusedBy(libraryOver(shop, reader).prices.list())).to.include({ status: 403 });
  });

  it('repeats the answer to an idempotency key, a saved failure too, and refuses another request under it', async () => {
    const cancel = { cancel_at_period_end: true };
    const options = { idempotencyKey: 'once' };
    shop.faults.answer('POST /v1/subscriptions/:id', 500, { afterEffect: true });
    for (const _ of [1, 2])
      expect(await refusedBy(stripe.subscriptions.update(subscription, cancel, options))).to.include({ status: 500 });
    expect(shop.object(subscription)).to.include({ cancel_at_period_end: true });
    const other = stripe.subscriptions.update(subscription, { cancel_at_period_end: false }, options);
    expect(await refusedBy(other)).to.include({ status: 400, type: 'idempotency_error' });
    const count = shop.events.length;
    const first = await stripe.subscriptions.update(subscription, { cancel_at: '' }, { idempotencyKey: 'twice' });
    const second = await stripe.subscriptions.update(subscription, { cancel_at: '' }, { idempotencyKey: 'twice' });
    expect(second).to.deep.equal(first);
    expect(shop.events.length).to.equal(count);
  });
});
