import { expect } from 'chai';
import { Stripe } from 'stripe';
import { fakeStripe, type FakeStripe } from '../../../testing/index.ts';
import { libraryOver, refusedBy } from '../../support/stripe/library.ts';
import { thrownBy } from '../../support/thrown.ts';

const read = 'GET /v1/subscriptions/:id';
const write = 'POST /v1/subscriptions/:id';

describe('the faults of fakeStripe', () => {
  let shop: FakeStripe;
  let stripe: Stripe;
  let subscription: string;
  beforeEach(async () => {
    shop = await fakeStripe();
    stripe = libraryOver(shop);
    ({ subscription } = await shop.subscribe());
  });
  afterEach(() => shop.stop());

  const cancel = (): Promise<unknown> => stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
  const isCanceled = (): unknown => shop.object(subscription)['cancel_at_period_end'];

  it('hold an answer, which says what was so when it was read', async () => {
    const held = shop.faults.hold(read);
    const reading = stripe.subscriptions.retrieve(subscription);
    await held.arrived;
    await shop.cancelAtPeriodEnd(subscription);
    expect((await stripe.subscriptions.retrieve(subscription)).cancel_at_period_end).to.equal(true);
    held.release();
    expect((await reading).cancel_at_period_end).to.equal(false);
  });

  it('refuse for a while with 429 and Retry-After', async () => {
    shop.faults.answer(read, 429, { retryAfter: 3, times: 2 });
    for (const _ of [1, 2]) {
      const error = await thrownBy(stripe.subscriptions.retrieve(subscription));
      expect(error).to.be.instanceOf(Stripe.errors.StripeRateLimitError);
      expect((error as Stripe.errors.StripeError).headers?.['retry-after']).to.equal('3');
    }
    await stripe.subscriptions.retrieve(subscription);
  });

  it('fail before or after the effect', async () => {
    shop.faults.answer(write, 500);
    expect(await refusedBy(cancel())).to.include({ status: 500, type: 'api_error' });
    expect(isCanceled()).to.equal(false);
    shop.faults.answer(write, 500, { afterEffect: true });
    expect(await refusedBy(cancel())).to.include({ status: 500 });
    expect(isCanceled()).to.equal(true);
  });

  it('cut the connection after the effect, and the library repeats the request under its key', async () => {
    shop.faults.cut(write, { afterEffect: true });
    const count = shop.requests.length;
    await cancel();
    const [first, second] = shop.requests.slice(count);
    expect([first?.status, second?.status]).to.deep.equal([null, 200]);
    expect(second?.idempotencyKey).to.equal(first?.idempotencyKey);
    shop.faults.cut('*', { times: 2 });
    expect(await thrownBy(cancel())).to.be.instanceOf(Stripe.errors.StripeConnectionError);
  });

  it('hang until the library has waited long enough, and not after they are cleared', async () => {
    shop.faults.hang(read);
    const error = await thrownBy(stripe.subscriptions.retrieve(subscription, {}, { timeout: 20 }));
    expect(error).to.be.instanceOf(Stripe.errors.StripeConnectionError);
    shop.faults.hang('*', { times: 100 });
    shop.faults.clear();
    await stripe.subscriptions.retrieve(subscription);
  });

  it('meet only the requests that they name', async () => {
    shop.faults.answer(write, 500);
    await stripe.subscriptions.retrieve(subscription);
    await stripe.prices.list();
    expect(await refusedBy(cancel())).to.include({ status: 500 });
    expect(shop.requests.map(({ method, path, status }) => [method, path, status])).to.deep.equal([
      ['GET', `/v1/subscriptions/${subscription}`, 200],
      ['GET', '/v1/prices', 200],
      ['POST', `/v1/subscriptions/${subscription}`, 500],
    ]);
  });
});
