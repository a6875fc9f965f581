import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { portsIn } from '../../../../app/service/container.ts';
import { maxPayments, saleId } from '../../../../core/affiliate/sale/sale.ts';
import { anAffiliate, aPromotion } from '../../../support/affiliates/builders.ts';
import { aCall, noon } from '../../../support/builders.ts';
import { dataOf, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { range } from '../../../support/range.ts';
import { memory } from '../../../support/stores/stores.ts';

const path = '/admin/entitlements/ent_1/sale';
const grant = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };

/** A sale with `count` payments. */
const paid = (count: number): object => {
  const payments = range(count).map((number) => ({
    id: `txn_${String(number).padStart(60, '0')}`,
    paidAt: noon.toISOString(),
    amount: 4900,
    kept: 4900,
  }));
  return { handle: 'ada', currency: 'usd', payments };
};

describe('the sales of affiliates over HTTP', () => {
  const admin = freshAdmin(memory);

  beforeEach(async () => {
    await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
    await admin().put('/admin/entitlements/ent_1', grant);
    const { affiliates, promotions } = portsIn(admin().service.container);
    await affiliates.replace(null, anAffiliate(), aCall());
    await promotions.replace(null, aPromotion(), aCall());
  });

  it('show their payments and what they earn, and in lists all but the payments', async () => {
    const paidAt = noon.toISOString();
    const payments = [{ id: 'ch_1', paidAt, amount: 4900, kept: 4000 }];
    const put = await admin().put(path, { handle: 'ada', currency: 'usd', payments });
    const { payments: shown, ...summary } = dataOf(put) as Readonly<Record<string, unknown>>;
    expect(put.status).to.equal(201);
    expect(shown).to.deep.equal(payments);
    expect(summary).to.deep.equal({
      entitlementId: 'ent_1',
      id: saleId('ent_1', digest),
      productId: 'prod_1',
      handle: 'ada',
      slug: 'sketchpad',
      by: 'put',
      attributedAt: paidAt,
      terms: { commissionPercent: 30, commissionFor: 'lifetime', holdDays: 30 },
      currency: 'usd',
      confirmedAt: null,
      voided: null,
      commission: 1200,
      due: 0,
      waiting: 1200,
      stated: 0,
      revision: 1,
    });
    expect((await admin().put(path, { handle: 'ada', currency: 'usd', payments })).status).to.equal(200);
    expect(dataOf(await admin().get('/admin/sales?handle=ada&product=prod_1&currency=usd'))).to.deep.equal([summary]);
    expect(dataOf(await admin().get('/admin/sales?currency=eur'))).to.deep.equal([]);
  });

  it('have no currency as long as none is known of what was assigned', async () => {
    const assigned = await admin().post(`${path}/assign`, { handle: 'ada' });
    expect(dataOf(assigned)).to.deep.include({ by: 'operator', currency: null, payments: [] });
  });

  it('take as many payments as a sale has, and no more', async () => {
    expect((await admin().put(path, paid(maxPayments))).status).to.equal(201);
    const [status, code, message] = outcomeOf(await admin().put(path, paid(maxPayments + 1)));
    expect([status, code]).to.deep.equal([400, 'invalid_body']);
    expect(message).to.include('payments must be at most 1000 payments, none twice');
  });
});
