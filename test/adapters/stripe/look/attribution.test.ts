import { expect } from 'chai';
import type { Promotion } from '../../../../core/affiliate/promotion.ts';
import { type Sale } from '../../../../core/affiliate/sale/sale.ts';
import { anAffiliate, aPromotion, aSale, aVersion, thirty } from '../../../support/affiliates/builders.ts';
import { aCall, day, later, noon } from '../../../support/builders.ts';
import { freshShop } from '../../../support/stripe/fresh-shop.ts';
import { LookedAtShop } from '../../../support/stripe/looked-at-shop.ts';

// The data of Stripe alone decides who has brought a buyer, so the memory store is enough.
describe('the first look at what an affiliate may have brought', () => {
  let at: LookedAtShop;
  const store = freshShop(LookedAtShop, (opened) => (at = opened));

  const find = async (entitlementId: string): Promise<Sale | null> => store().sales.find(entitlementId, aCall());

  async function affiliate(handle: string, promotion: Partial<Promotion> = {}): Promise<void> {
    await store().affiliates.replace(null, anAffiliate({ handle }), aCall());
    await store().promotions.replace(null, aPromotion({ handle, productId: 'sketchpad', ...promotion }), aCall());
  }

  /** The affiliate who has brought the sale of an entitlement, and its source. */
  async function sellerOf(id: string): Promise<string | null> {
    const sale = await find(id);
    return sale && `${sale.handle} by ${sale.by}`;
  }

  /** The requests of a first look at a subscription and at a purchase, and of the next ones. */
  async function askedFor(options: { readonly reference?: string }): Promise<readonly string[]> {
    const before = at.shop.requests.length;
    const ids = [await at.subscribe(options), await at.purchase(options)];
    for (const id of ids) await at.lookAt(id);
    const asked = at.shop.requests.slice(before);
    return asked.map(({ method, path }) => `${method} ${path.replace(/(sub|cs|pi|ch)_\w+/, ':id')}`);
  }

  const unattributed = (): readonly object[] => at.reports.filter(({ kind }) => kind === 'unattributed');

  it('stores the sale with the terms of the checkout and what was paid, before the grant', async () => {
    await affiliate('ada');
    const { subscription: id } = await at.shop.subscribe({ price: 'price_pro', reference: 'via_ada_sketchpad' });
    let before: Sale | null = null;
    const { grantEntitlement } = at.administration;
    Object.assign(at.administration, {
      grantEntitlement: async (...parameters: Parameters<typeof grantEntitlement>) => {
        before = await find(id);
        return grantEntitlement(...parameters);
      },
    });
    await at.lookAt(id);
    const charge = at.shop.events.find(({ type }) => type === 'charge.succeeded')?.data.object['id'];
    const payments = [{ id: String(charge), paidAt: noon, amount: 900, kept: 900 }];
    const sale = aSale({ entitlementId: id, productId: 'sketchpad', payments });
    expect(before).to.deep.equal(sale);
    expect(await find(id)).to.deep.equal(sale);
    expect(await at.show(id)).to.include({ status: 'active' });
  });

  it('believes the code that was typed, then the metadata, then the link, and passes over what names nobody', async () => {
    at.shop.addPromotionCode({ code: 'ADA20' });
    at.shop.addPromotionCode({ code: 'SPRING' });
    await affiliate('ada', { codes: ['ada20'] });
    await affiliate('bob');
    await affiliate('eve');
    const metadata = { latchkey_via: 'bob_sketchpad' };
    const reference = 'via_eve_sketchpad';
    const said = [
      [{ promotionCode: 'ADA20', metadata, reference }, 'ada by code'],
      [{ promotionCode: 'SPRING', metadata, reference }, 'bob by metadata'],
      [{ metadata: { latchkey_via: 'nobody' }, reference }, 'eve by link'],
      [{ reference: 'order-1' }, null],
      [{}, null],
    ] as const;
    for (const [options, seller] of said) {
      expect(await sellerOf(await at.subscribe(options))).to.equal(seller);
      expect(await sellerOf(await at.purchase(options))).to.equal(seller);
    }
    expect(unattributed()).to.deep.equal([]);
  });

  it('reads the discount, the metadata and the address of a subscription that had no checkout', async () => {
    at.shop.addPromotionCode({ code: 'ADA20' });
    await affiliate('ada', { codes: ['ada20'] });
    await affiliate('bob');
    const metadata = { latchkey_via: 'bob' };
    expect(await sellerOf(await at.subscribe({ checkout: false, promotionCode: 'ADA20', metadata }))).to.equal(
      'ada by code',
    );
    expect(await sellerOf(await at.subscribe({ checkout: false, metadata }))).to.equal('bob by metadata');
    const own = await at.subscribe({ checkout: false, metadata, email: 'Bob@example.com' });
    expect((await find(own))?.voided).to.deep.equal({ at: noon, by: 'stripe', reason: 'own_purchase' });
  });

  it('finds the session of a subscription by itself and by its subscription', async () => {
    await affiliate('ada');
    const options = { price: 'price_pro', reference: 'via_ada' };
    const first = await at.shop.subscribe(options);
    await at.lookAt(first.subscription);
    const second = await at.shop.subscribe(options);
    await at.lookAt(second.session ?? '');
    expect(await sellerOf(first.subscription)).to.equal('ada by link');
    expect(await sellerOf(second.subscription)).to.equal('ada by link');
  });

  it('counts the terms that were in force when the checkout began, however late the look', async () => {
    const terms = [aVersion({ from: later(-day) }), aVersion({ from: later(day), commissionPercent: 100 })];
    await affiliate('ada', { terms });
    const { subscription } = await at.shop.subscribe({ price: 'price_pro', reference: 'via_ada' });
    at.now = later(2 * day);
    await at.lookAt(subscription);
    expect((await find(subscription))?.terms).to.deep.equal(thirty);
    const next = await at.subscribe({ reference: 'via_ada' });
    expect((await find(next))?.terms).to.deep.equal({ ...thirty, commissionPercent: 100 });
  });

  it('voids the own purchase of an affiliate, in whichever spelling of the address', async () => {
    await affiliate('ada');
    const id = await at.purchase({ reference: 'via_ada', email: 'ADA@Example.com' });
    expect((await find(id))?.voided).to.deep.equal({ at: noon, by: 'stripe', reason: 'own_purchase' });
    expect(await at.show(id)).to.include({ status: 'active' });
    expect((await find(await at.purchase({ reference: 'via_ada' })))?.voided).to.equal(null);
  });

  it('says why a checkout that names an affiliate is the sale of none, without what was typed', async () => {
    await affiliate('ada', { productId: 'metronome' });
    await affiliate('bob', { terms: [aVersion({ from: noon })] });
    const ids = [
      await at.subscribe({ reference: 'via_nobody' }),
      await at.subscribe({ metadata: { latchkey_via: 'welcome nav' } }),
      await at.subscribe({ reference: 'via_ada_sketchpad' }),
      await at.subscribe({ reference: 'via_bob' }),
    ];
    await at.purchase({ reference: 'via_bob' });
    const reasons = ['unknown_affiliate', 'unknown_affiliate', 'no_promotion', 'no_terms'];
    const expected = reasons.map((reason, index) => ({ kind: 'unattributed', id: ids[index], reason }));
    expect(unattributed()).to.deep.equal([...expected, { kind: 'unattributed', id: null, reason: 'no_terms' }]);
    for (const id of ids) expect(await find(id)).to.equal(null);
  });

  it('asks Stripe for a code only where there are codes, and refuses to grant while it may not read them', async () => {
    at.shop.addPromotionCode({ code: 'ADA20' });
    const asked = (): number => at.shop.requests.filter(({ path }) => path.includes('promotion_codes')).length;
    await affiliate('ada');
    await at.subscribe({ promotionCode: 'ADA20' });
    expect(asked()).to.equal(0);
    await affiliate('bob', { codes: ['bob10'] });
    await at.subscribe();
    expect(asked()).to.equal(0);
    at.shop.faults.answer('GET /v1/promotion_codes/:id', 403);
    const { subscription } = await at.shop.subscribe({ price: 'price_pro', promotionCode: 'ADA20' });
    expect(await at.lookAt(subscription).catch(({ code }: { code: string }) => code)).to.equal('stripe_unavailable');
    expect(await at.show(subscription)).to.equal(null);
  });

  it('sends no more requests for what nobody has brought than without any affiliate', async () => {
    const without = await askedFor({});
    await affiliate('ada', { codes: ['ada20'] });
    expect(await askedFor({ reference: 'order-1' })).to.deep.equal(without);
  });
});
