import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf } from '../../../../core/administration/administration.ts';
import type { Promotion } from '../../../../core/affiliate/promotion.ts';
import { neverConfirmed, saleId, unknownCurrency, type Sale } from '../../../../core/affiliate/sale/sale.ts';
import type { PutSaleRequest } from '../../../../core/affiliate/selling/put-sale.ts';
import { cursorAt } from '../../../../core/paging/cursor.ts';
import {
  anAffiliate,
  aPayment,
  aPromotion,
  aSale,
  aVersion,
  inStatement,
  thirty,
} from '../../../support/affiliates/builders.ts';
import { aCall, aChangeRecord, aSubscription, day, later, noon } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { refusalOf } from '../../../support/thrown.ts';

const codeOf = async (work: Promise<unknown>): Promise<string> => (await refusalOf(work)).code;

const everything = { productId: null, handle: null, currency: null };

const ids = (sales: readonly Sale[]) => sales.map(({ entitlementId }) => entitlementId);

describe('the sales of affiliates', () => {
  const store = freshStore(memory.open);
  const a = () => administrationOf(store(), nodePlatform);
  const by = { by: 'operator:opk_1' } as const;
  const find = async (id = 'ent_1'): Promise<Sale | null> => store().sales.find(id, aCall());

  const put = (request: Partial<PutSaleRequest> = {}, now = later(31 * day)) =>
    a().putSale(
      {
        entitlementId: 'ent_1',
        handle: 'ada',
        slug: null,
        currency: 'usd',
        attributedAt: null,
        payments: [aPayment()],
        ...request,
      },
      aCall({ now }),
    );

  const assign = (handle = 'ada', entitlementId = 'ent_1', slug: string | null = null) =>
    a().assignSale({ entitlementId, handle, slug }, aCall(by));

  async function grant(id: string): Promise<void> {
    const entitlement = aSubscription({ id });
    await store().allEntitlements.add([{ entitlement, changeRecord: aChangeRecord(entitlement) }], aCall());
  }

  async function affiliate(handle: string, promotion: Partial<Promotion> = {}): Promise<void> {
    await store().affiliates.replace(null, anAffiliate({ handle }), aCall());
    await store().promotions.replace(null, aPromotion({ handle, ...promotion }), aCall());
  }

  const stored = (sale: Partial<Sale> = {}) =>
    store().sales.replace(null, aSale({ entitlementId: 'ent_1', ...sale }), null, aCall());

  /** Maps a price, so that Stripe sells what has an id of it. */
  const atStripe = () =>
    store().priceMap.put(
      { price: 'price_1', productId: 'prod_1', tierId: 'pro', tierName: 'Pro', deviceLimit: null, updates: null },
      aCall(),
    );

  beforeEach(async () => {
    await grant('ent_1');
    await affiliate('ada');
  });

  describe('that were not made at Stripe', () => {
    it('are stored with the terms of their first payment, and show what they earn', async () => {
      const payments = [aPayment({ id: 'ch_2', paidAt: later(2 * day), kept: 500 }), aPayment()];
      const { sale, outcome } = await put({ payments });
      const { commission, due, waiting, ...rest } = sale;
      const expected: Sale = {
        ...aSale({ entitlementId: 'ent_1', by: 'put', confirmedAt: null }),
        id: saleId('ent_1', digest),
        payments: payments.toReversed(),
      };
      expect([rest, outcome, commission, due, waiting]).to.deep.equal([expected, 'added', 420, 270, 150]);
      expect(await find()).to.deep.equal(expected);
    });

    it('change by what they are put with, and by nothing that is the same', async () => {
      await put();
      expect((await put()).outcome).to.equal('unchanged');
      expect((await put({ payments: [] })).outcome).to.equal('replaced');
      expect(await find()).to.deep.include({ payments: [], revision: 2 });
      const partly = [aPayment({ kept: 100 })];
      expect((await put({ payments: partly })).outcome).to.equal('replaced');
      expect(await find()).to.deep.include({ payments: partly, revision: 3 });
      await put({ slug: 'sketchpad', attributedAt: noon, payments: partly });
      expect((await find())?.revision).to.equal(3);
    });

    it('have the promotion of their product that was named or, of several, that was agreed first', async () => {
      await store().promotions.replace(null, aPromotion({ slug: 'other', productId: 'prod_2' }), aCall());
      const first = aPromotion({ slug: 'z-first', terms: [aVersion({ from: later(-9 * day), holdDays: 0 })] });
      await store().promotions.replace(null, first, aCall());
      expect((await put()).sale).to.deep.include({ slug: 'z-first', terms: { ...thirty, holdDays: 0 } });
      await grant('ent_2');
      expect((await put({ entitlementId: 'ent_2', slug: 'sketchpad' })).sale.slug).to.equal('sketchpad');
      await grant('ent_3');
      expect(await codeOf(put({ entitlementId: 'ent_3', slug: 'other' }))).to.equal('promotion_not_found');
    });

    it('have an instant of their own, or that of the call without a payment', async () => {
      await affiliate('bob', { terms: [] });
      const early = later(-2 * day).toISOString();
      const first = later(-day).toISOString();
      for (const [message, work] of [
        [
          `The promotion has no terms at ${early}; its first count from after ${first}.`,
          put({ attributedAt: later(-2 * day) }),
        ],
        [`The promotion has no terms at ${noon.toISOString()}.`, put({ handle: 'bob' })],
      ] as const)
        expect(await refusalOf(work)).to.deep.equal({ code: 'promotion_not_found', details: { message } });
      expect((await put({ payments: [] }, later(3))).sale.attributedAt).to.deep.equal(later(3));
    });

    it('have no instant that is later than now, by the clock of a vendor which may be five minutes ahead', async () => {
      const late = later(300_001);
      const refused = {
        attributedAt: put({ attributedAt: late }, noon),
        paidAt: put({ payments: [aPayment(), aPayment({ id: 'ch_2', paidAt: late })] }, noon),
      };
      for (const [member, work] of Object.entries(refused)) {
        const message = `${member} must not be later than now.`;
        expect(await refusalOf(work)).to.deep.equal({ code: 'invalid_body', details: { message } });
      }
      expect(await find()).to.equal(null);
      const paidAt = later(300_000);
      expect((await put({ payments: [aPayment({ paidAt })] }, noon)).sale.attributedAt).to.deep.equal(paidAt);
    });

    it('are refused where something is unknown, or known otherwise', async () => {
      await affiliate('bob', { productId: 'prod_2' });
      expect(await codeOf(put({ entitlementId: 'ent_9' }))).to.equal('entitlement_not_found');
      expect(await codeOf(put({ handle: 'eve' }))).to.equal('affiliate_not_found');
      expect(await codeOf(put({ handle: 'bob' }))).to.equal('promotion_not_found');
      expect(await codeOf(put({ slug: 'nothing' }))).to.equal('promotion_not_found');
      await put();
      const others = [{ handle: 'bob' }, { slug: 'other' }, { currency: 'eur' }, { attributedAt: later(1) }];
      for (const other of others) expect(await codeOf(put(other))).to.equal('sale_attributed');
      await grant('sub_1');
      await atStripe();
      expect(await codeOf(put({ entitlementId: 'sub_1' }))).to.equal('managed_by_stripe');
    });
  });

  describe('that an operator assigns', () => {
    it('wait for a look at Stripe, which knows the currency and the payments', async () => {
      await grant('sub_1');
      await atStripe();
      const { sale, changed } = await assign('ada', 'sub_1');
      expect(changed).to.equal(true);
      const attributedAt = aSubscription().createdAt;
      const expected = { by: 'operator', currency: unknownCurrency, attributedAt, terms: thirty } as const;
      expect(await find('sub_1')).to.deep.equal(
        aSale({ entitlementId: 'sub_1', ...expected, confirmedAt: neverConfirmed }),
      );
      expect(sale.commission).to.equal(0);
      expect(await store().sales.toLookAt(noon, 9, aCall())).to.have.length(1);
      expect((await assign('ada', 'sub_1')).changed).to.equal(false);
    });

    it('take the currency and the payments that they are put with, where Stripe sells nothing', async () => {
      await assign();
      expect(await find()).to.deep.include({ confirmedAt: null, currency: unknownCurrency });
      expect((await put({ currency: 'eur' })).outcome).to.equal('replaced');
      expect(await find()).to.deep.include({ by: 'operator', currency: 'eur', payments: [aPayment()], revision: 2 });
    });

    it('go to another affiliate with the terms at the checkout, else with those agreed first', async () => {
      await affiliate('bob', {
        terms: [
          aVersion({ from: later(-2 * day), commissionPercent: 100 }),
          aVersion({ from: later(day), commissionPercent: 200 }),
        ],
      });
      await affiliate('eve', { terms: [aVersion({ from: later(day), commissionPercent: 300 })] });
      await stored();
      await assign('bob');
      expect(await find()).to.deep.include({
        handle: 'bob',
        by: 'operator',
        terms: { ...thirty, commissionPercent: 100 },
      });
      await assign('eve');
      expect(await find()).to.deep.include({
        handle: 'eve',
        terms: { ...thirty, commissionPercent: 300 },
        revision: 3,
      });
    });

    it('stay with their affiliate once a statement has a line of them', async () => {
      await affiliate('bob');
      await stored(inStatement(5, noon));
      expect(await codeOf(assign('bob'))).to.equal('sale_stated');
      expect((await assign('ada')).changed).to.equal(false);
    });

    it('are refused where something is unknown, or nothing was ever agreed', async () => {
      await affiliate('bob', { terms: [], state: 'asked' });
      expect(await codeOf(assign('ada', 'ent_9'))).to.equal('entitlement_not_found');
      expect(await codeOf(assign('eve'))).to.equal('affiliate_not_found');
      expect(await codeOf(assign('ada', 'ent_1', 'nothing'))).to.equal('promotion_not_found');
      expect(await codeOf(assign('bob'))).to.equal('promotion_not_found');
    });
  });

  it('earn nothing while they are void', async () => {
    await stored({ payments: [aPayment()] });
    const voided = await a().voidSale('ent_1', 'Fraud', aCall(by));
    expect(voided.sale).to.deep.include({ commission: 0, voided: { at: noon, ...by, reason: 'Fraud' } });
    expect((await a().voidSale('ent_1', 'Again', aCall(by))).changed).to.equal(false);
    const restored = await a().restoreSale('ent_1', aCall(by));
    expect(restored.sale).to.deep.include({ commission: 270, voided: null, revision: 3 });
    expect((await a().restoreSale('ent_1', aCall(by))).changed).to.equal(false);
    for (const work of [
      a().voidSale('ent_2', 'x', aCall()),
      a().restoreSale('ent_2', aCall()),
      a().showSale('ent_2', aCall()),
    ])
      expect(await codeOf(work)).to.equal('sale_not_found');
  });

  it('are listed page by page and one after another, the newest first', async () => {
    for (const number of range(5)) {
      const sale = aSale({ entitlementId: `sub_${number}`, attributedAt: later(number) });
      await store().sales.replace(null, sale, null, aCall());
    }
    const first = await a().listSales(everything, { after: null, limit: 3 }, aCall());
    const second = await a().listSales(everything, { after: first.next, limit: 3 }, aCall());
    expect([ids(first.items), ids(second.items), second.next]).to.deep.equal([
      ['sub_4', 'sub_3', 'sub_2'],
      ['sub_1', 'sub_0'],
      null,
    ]);
    const all = await Array.fromAsync(a().everySale({ ...everything, handle: 'ada' }, () => aCall()));
    expect(ids(all)).to.deep.equal(['sub_4', 'sub_3', 'sub_2', 'sub_1', 'sub_0']);
    const other = a().listSales({ ...everything, handle: 'ada' }, { after: first.next, limit: 3 }, aCall());
    expect(await codeOf(other)).to.equal('invalid_parameter');
    const nowhere = cursorAt(['sales', null, null, null], ['yesterday', 'sale_1']);
    expect(await codeOf(a().listSales(everything, { after: nowhere, limit: 3 }, aCall()))).to.equal(
      'invalid_parameter',
    );
  });
});
