import { expect } from 'chai';
import type Stripe from 'stripe';
import { fakeStripe, type FakeStripe } from '../../../testing/index.ts';
import { libraryOver, refusedBy } from '../../support/stripe/library.ts';
import { thrownBy } from '../../support/thrown.ts';

describe('the sales of fakeStripe', () => {
  let shop: FakeStripe;
  let stripe: Stripe;
  beforeEach(async () => {
    shop = await fakeStripe();
    stripe = libraryOver(shop);
  });
  afterEach(() => shop.stop());

  it('have the promotion code that the buyer has typed, by its code or its id', async () => {
    const promotionCode = shop.addPromotionCode({ code: 'ADA20' });
    for (const typed of ['ada20', promotionCode]) {
      const { subscription, session } = await shop.subscribe({ promotionCode: typed });
      const purchase = await shop.purchase({ promotionCode: typed });
      for (const id of [session ?? '', purchase]) {
        const { discounts } = await stripe.checkout.sessions.retrieve(id);
        expect(discounts).to.deep.equal([{ coupon: null, promotion_code: promotionCode }]);
      }
      const { discounts } = await stripe.subscriptions.retrieve(subscription, { expand: ['discounts.promotion_code'] });
      const [discount] = discounts as readonly Stripe.Discount[];
      expect([discount?.checkout_session, discount?.promotion_code]).to.deep.equal([
        session,
        await plain(stripe.promotionCodes.retrieve(promotionCode)),
      ]);
    }
  });

  it('let only a key with the permission read a promotion code', async () => {
    const id = shop.addPromotionCode({ code: 'ADA20' });
    const over = (permissions: Record<string, 'read'>): Stripe =>
      libraryOver({ ...shop, apiKey: shop.restrictedKey(permissions) });
    expect(await over({ promotion_code: 'read' }).promotionCodes.retrieve(id)).to.include({ code: 'ADA20' });
    const refused = await refusedBy(over({ subscription: 'read' }).promotionCodes.retrieve(id));
    expect(refused.message).to.include("'rak_promotion_code_read'");
  });

  it('have no option that the shop does not know, and take an object', async () => {
    const untyped = shop as unknown as Record<string, (...given: unknown[]) => unknown>;
    for (const verb of ['subscribe', 'purchase'])
      expect(await thrownBy(Promise.resolve(untyped[verb]?.({ clientReferenceId: 'via_ada' }))))
        .to.be.instanceOf(TypeError)
        .with.property('message')
        .that.includes('has no option clientReferenceId: it takes reference, ');
    expect(() => untyped['addPromotionCode']?.('ADA20')).to.throw(TypeError, 'takes an object with code.');
    expect(() => untyped['addPrice']?.({ cents: 5 })).to.throw(TypeError, 'has no option cents');
  });

  it('refuse a code that the shop has already, and one that it does not have', async () => {
    shop.addPromotionCode({ code: 'ADA20' });
    expect(() => shop.addPromotionCode({ code: 'ada20' })).to.throw(TypeError);
    expect(await thrownBy(shop.purchase({ promotionCode: 'BOB20' }))).to.be.instanceOf(TypeError);
  });

  it('have metadata on the session, or on the subscription without one', async () => {
    const metadata = { latchkey_via: 'ada' };
    const [bought, { session, subscription }] = [await shop.purchase({ metadata }), await shop.subscribe({ metadata })];
    const { subscription: alone } = await shop.subscribe({ metadata, checkout: false });
    const found = [bought, session ?? '', subscription, alone].map((id) => shop.object(id)['metadata']);
    expect(found).to.deep.equal([metadata, metadata, {}, metadata]);
  });

  it('have a tax on top of the price, also when they are renewed', async () => {
    const { subscription, session } = await shop.subscribe({ price: shop.addPrice({ amount: 1000 }), tax: 7.7 });
    const { amount_subtotal, amount_total, total_details } = await stripe.checkout.sessions.retrieve(session ?? '');
    expect([amount_subtotal, total_details?.amount_tax, amount_total]).to.deep.equal([1000, 77, 1077]);
    await shop.renew(subscription);
    const { data } = await stripe.invoices.list({ subscription });
    const invoices = data.map(({ total_excluding_tax: net, total_taxes: taxes, total }) => [
      net,
      taxes?.map(({ amount }) => amount),
      total,
    ]);
    expect(invoices).to.deep.equal(Array.from({ length: 2 }, () => [1000, [77], 1077]));
    const price = shop.addPrice({ interval: null, amount: 1000 });
    expect(shop.object(await shop.purchase({ price, tax: 19 }))).to.include({ amount_total: 1190 });
    const charged = (await stripe.charges.list()).data.map(({ amount }) => amount);
    expect(charged).to.deep.equal([1190, 1077, 1077]);
  });

  it('are paid in the currency of the buyer', async () => {
    const { subscription } = await shop.subscribe({ currency: 'jpy' });
    await shop.renew(subscription);
    await shop.purchase({ currency: 'eur' });
    const currencies = (await stripe.charges.list()).data.map(({ currency }) => currency);
    expect(currencies).to.deep.equal(['eur', 'jpy', 'jpy']);
    expect(shop.object(subscription)).to.include({ currency: 'jpy' });
  });
});

async function plain(found: Promise<Stripe.PromotionCode>): Promise<unknown> {
  return JSON.parse(JSON.stringify(await found));
}
