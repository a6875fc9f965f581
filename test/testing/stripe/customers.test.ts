import { expect } from 'chai';
import { Stripe } from 'stripe';
import { fakeStripe, type FakeStripe } from '../../../testing/index.ts';

describe('the customers of fakeStripe', () => {
  let shop: FakeStripe;
  let stripe: Stripe;

  beforeEach(async () => {
    shop = await fakeStripe();
    const { hostname: host, port } = new URL(shop.url);
    stripe = new Stripe(shop.apiKey, { host, port, protocol: 'http', telemetry: false });
  });
  afterEach(() => shop.stop());

  it('have the address that the buyer gave, or another one', async () => {
    const session = await shop.purchase({ email: 'Ada@example.com', customerEmail: 'bo@example.com' });
    const { customer_details: details, customer } = await stripe.checkout.sessions.retrieve(session, {
      expand: ['customer'],
    });
    expect(details?.email).to.equal('Ada@example.com');
    expect(customer).to.include({ object: 'customer', email: 'bo@example.com' });
    await shop.subscribe({ checkout: false });
    expect(emails((await stripe.customers.list()).data)).to.deep.equal(['buyer@example.com', 'bo@example.com']);
  });

  it('are listed by the exact address, as checkout sessions are', async () => {
    const session = await shop.purchase({ email: 'Ada@example.com' });
    await shop.purchase({ email: null });
    for (const [email, expected] of [
      ['Ada@example.com', [session]],
      ['ada@example.com', []],
    ] as const) {
      const sessions = await stripe.checkout.sessions.list({ customer_details: { email } });
      expect(sessions.data.map(({ id }) => id)).to.deep.equal(expected);
      expect((await stripe.customers.list({ email })).data).to.have.length(expected.length);
    }
  });

  it('are searched by the address in whichever case', async () => {
    await shop.purchase({ email: 'Ada"Lovelace@Example.com' });
    const found = await stripe.customers.search({ query: String.raw`email:"ada\"lovelace@example.COM"` });
    expect(emails(found.data)).to.deep.equal(['Ada"Lovelace@Example.com']);
    expect((await stripe.customers.search({ query: 'email:"lovelace@example.com"' })).data).to.deep.equal([]);
    let status: unknown;
    await stripe.customers.search({ query: 'name:"Ada"' }).catch((error: unknown) => {
      status = error instanceof Stripe.errors.StripeError ? error.statusCode : error;
    });
    expect(status).to.equal(400);
  });

  it('need a permission of their own', async () => {
    const restricted = shop.restrictedKey({ checkout_session: 'read' });
    let message = '';
    await stripe.customers.list({}, { apiKey: restricted }).catch((error: unknown) => (message = String(error)));
    expect(message).to.include('rak_customer_read');
  });
});

function emails(customers: readonly Stripe.Customer[]): readonly (string | null)[] {
  return customers.map(({ email }) => email);
}
