import { expect } from 'chai';
import { createStripe } from '../../../../adapters/stripe/client/create-stripe.ts';
import { stripeAddresses } from '../../../../adapters/stripe/mail/stripe-addresses.ts';
import type { BuyerAddresses } from '../../../../core/mail/buyer-addresses.port.ts';
import { fakeStripe, type FakeStripe } from '../../../../testing/index.ts';
import { aCall } from '../../../support/builders.ts';

describe('the address of a buyer at Stripe', () => {
  let shop: FakeStripe;
  let addresses: BuyerAddresses;

  beforeEach(async () => {
    shop = await fakeStripe();
    addresses = stripeAddresses(await createStripe({ apiKey: shop.apiKey, apiBase: shop.url }));
  });
  afterEach(() => shop.stop());

  async function addressOf(id: string, reference: string | null = null): Promise<string | null> {
    const found = await addresses.ofSale({ id, reference }, aCall());
    return found.kind === 'read' ? found.address : found.code;
  }

  async function salesTo(address: string): Promise<readonly string[]> {
    const found = await addresses.salesTo(address, aCall());
    if (found.kind === 'failed') return [found.code];
    return [...new Set(found.sales.map((sale) => `${sale.entitlementId} ${sale.address}`))].toSorted();
  }

  /** Sales to `ada@left.example`: with a session and its reference, without either, and once. */
  async function sales(): Promise<readonly (readonly [id: string, reference: string | null])[]> {
    const email = 'ada@left.example';
    const { subscription, session } = await shop.subscribe({ email });
    const { subscription: other } = await shop.subscribe({ email });
    const { subscription: direct } = await shop.subscribe({ email, checkout: false });
    const bought = await shop.purchase({ email });
    return [
      [subscription, session],
      [other, null],
      [direct, null],
      [bought, bought],
    ];
  }

  it("is the customer's of now, also where the checkout had another one", async () => {
    for (const [id, reference] of await sales()) {
      expect(await addressOf(id, reference)).to.equal('ada@left.example');
      await shop.changeEmail(id, 'Ada@now.example');
      expect(await addressOf(id, reference)).to.equal('Ada@now.example');
    }
  });

  it('is that of the checkout where the customer has none', async () => {
    for (const [id, reference] of await sales()) {
      await shop.changeEmail(id, null);
      const hasSession = id.startsWith('cs_') || reference !== null || (await addressOf(id)) !== null;
      expect(await addressOf(id, reference)).to.equal(hasSession ? 'ada@left.example' : null);
    }
  });

  it('leads to what was sold to it, and the address before it to nothing', async () => {
    const sold = await sales();
    expect(await salesTo('ada@left.example')).to.deep.equal(sold.map(([id]) => `${id} ada@left.example`).toSorted());
    for (const [id] of sold) await shop.changeEmail(id, 'Ada@now.example');
    expect(await salesTo('ada@left.example')).to.deep.equal([]);
    expect(await salesTo('ada@now.example')).to.deep.equal(sold.map(([id]) => `${id} Ada@now.example`).toSorted());
  });

  it('leads to what was sold to it where the customer has none', async () => {
    const id = await shop.purchase({ email: 'ada@left.example' });
    await shop.changeEmail(id, null);
    expect(await salesTo('ada@left.example')).to.deep.equal([`${id} ada@left.example`]);
  });

  it('leads to the sales of sessions, and the refusal, where the key may read no customers', async () => {
    const id = await shop.purchase({ email: 'ada@left.example' });
    await shop.subscribe({ email: 'ada@left.example', checkout: false });
    for (const refused of ['GET /v1/customers', 'GET /v1/checkout/sessions'] as const) {
      shop.faults.answer(refused, 403);
      const found = await addresses.salesTo('ada@left.example', aCall());
      expect([found.kind, found.sales.map(({ entitlementId }) => entitlementId)], refused).to.deep.equal([
        'failed',
        [id],
      ]);
    }
  });
});
