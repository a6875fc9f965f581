import { expect } from 'chai';
import * as fc from 'fast-check';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { createStripe } from '../../../../adapters/stripe/client/create-stripe.ts';
import { inspect } from '../../../../adapters/stripe/commands/inspect.ts';
import { neverConfirmed, unknownCurrency, type Sale } from '../../../../core/affiliate/sale/sale.ts';
import type { StorePorts } from '../../../../core/store/store.port.ts';
import { aSale, inStatement } from '../../../support/affiliates/builders.ts';
import { aCall, day, later } from '../../../support/builders.ts';
import { rounds } from '../../../support/run/long-runs.ts';
import { freshShop } from '../../../support/stripe/fresh-shop.ts';
import { keptPaymentsOf } from '../../../support/stripe/kept-payments.ts';
import { LookedAtShop } from '../../../support/stripe/looked-at-shop.ts';
import { happen, shopVerbs } from '../../../support/stripe/shop-verbs.ts';

describe('the look at the sale of an affiliate', () => {
  let at: LookedAtShop;
  const store = freshShop(LookedAtShop, (opened) => (at = opened));

  const find = async (entitlementId: string): Promise<Sale | null> => store().sales.find(entitlementId, aCall());

  /** Makes it a sale of @ada, and looks at it. */
  async function bring(entitlementId: string, overrides: Partial<Sale> = {}): Promise<string> {
    await store().sales.replace(null, aSale({ entitlementId, productId: 'sketchpad', ...overrides }), null, aCall());
    await at.lookAt(entitlementId);
    return entitlementId;
  }

  const paidOf = async (id: string): Promise<readonly (readonly [number, number])[] | undefined> =>
    (await find(id))?.payments.map(({ amount, kept }) => [amount, kept]);

  /** The requests of the next look. */
  async function asked(id: string): Promise<readonly string[]> {
    const before = at.shop.requests.length;
    await at.lookAt(id);
    return at.shop.requests.slice(before).map(({ method, path }) => `${method} ${path.replace(id, ':id')}`);
  }

  it('reads every payment of a subscription without its tax, and what is kept of each', async () => {
    const id = await bring(await at.subscribe({ tax: 19 }));
    at.now = later(31 * day);
    await at.shop.renew(id);
    await at.shop.refund(id, 119, { payment: 0 });
    await at.shop.dispute(id, 'dispute', { amount: 238, payment: 1 });
    await at.lookAt(id);
    expect(await paidOf(id)).to.deep.equal([
      [900, 800],
      [900, 700],
    ]);
    await at.shop.closeDispute(id, 'won');
    await at.shop.failRefund(id);
    await at.shop.dispute(id, 'inquiry', { payment: 0 });
    await at.lookAt(id);
    expect(await paidOf(id)).to.deep.equal([
      [900, 900],
      [900, 900],
    ]);
    const sale = await find(id);
    expect(sale?.payments.map(({ paidAt }) => paidAt)).to.deep.equal([later(0), later(31 * day)]);
    expect(sale?.payments.map(({ id: charge }) => at.shop.object(charge)['amount'])).to.deep.equal([1071, 1071]);
  });

  it('reads the payment of a purchase with the requests that it sends anyway', async () => {
    const price = at.shop.addPrice({ interval: null, amount: 5000 });
    await at.map(price, 'once');
    const id = await at.purchase({ price, tax: 7.7 });
    const before = await asked(id);
    await bring(id);
    expect(await asked(id)).to.deep.equal(before);
    expect(await paidOf(id)).to.deep.equal([[5000, 5000]]);
    await at.shop.refund(id, 1000);
    await at.lookAt(id);
    expect(await paidOf(id)).to.deep.equal([[5000, 4071]]);
    await at.shop.refund(id);
    await at.lookAt(id);
    expect(await paidOf(id)).to.deep.equal([[5000, 0]]);
    expect(await at.show(id)).to.include({ status: 'revoked' });
  });

  it('asks for no payments of what no affiliate has brought', async () => {
    const id = await at.subscribe();
    const other = await bring(await at.subscribe());
    const more = ['GET /v1/invoices', 'GET /v1/charges'];
    expect(await asked(id)).not.to.include.members(more);
    expect(await asked(other)).to.include.members(more);
  });

  it('waits for the first payment of a trial, and counts nothing that was not paid', async () => {
    const id = await bring(await at.subscribe({ trialDays: 7 }));
    expect(await paidOf(id)).to.deep.equal([]);
    await at.shop.endTrial(id);
    await at.shop.failPayment(id);
    await at.lookAt(id);
    expect(await paidOf(id)).to.deep.equal([[900, 900]]);
  });

  it('confirms what is kept after a hold has ended, and writes nothing before', async () => {
    const id = await bring(await at.subscribe());
    const first = await find(id);
    at.now = later(29 * day);
    await at.lookAt(id);
    expect(await find(id)).to.deep.equal(first);
    at.now = later(30 * day);
    await at.lookAt(id);
    expect(await find(id)).to.deep.equal({ ...first, confirmedAt: at.now, revision: 3 });
    await at.lookAt(id);
    expect((await find(id))?.revision).to.equal(3);
  });

  it('brings the currency and the payments of a sale that an operator has assigned', async () => {
    const assigned = { currency: unknownCurrency, confirmedAt: neverConfirmed };
    const id = await bring(await at.subscribe({ currency: 'jpy' }), assigned);
    expect(await find(id)).to.deep.include({ currency: 'jpy', confirmedAt: later(0), revision: 2 });
    expect(await paidOf(id)).to.deep.equal([[900, 900]]);
    const trial = await bring(await at.subscribe({ trialDays: 7 }), assigned);
    expect(await find(trial)).to.deep.include({ currency: unknownCurrency, confirmedAt: later(0), revision: 2 });
    await at.lookAt(trial);
    expect((await find(trial))?.revision).to.equal(2);
    await at.shop.endTrial(trial);
    await at.lookAt(trial);
    expect(await find(trial)).to.deep.include({ currency: 'usd', revision: 3 });
  });

  it('leaves payments in another currency out, and says so once a look', async () => {
    const id = await bring(await at.subscribe({ currency: 'jpy' }));
    await at.lookAt(id);
    expect(await paidOf(id)).to.deep.equal([]);
    const sale = (await find(id))?.id;
    const report = { kind: 'payments left out', sale, otherCurrency: 1, tooMany: 0 };
    expect(at.reports.filter(({ kind }) => kind === 'payments left out')).to.deep.equal([report, report]);
  });

  it('keeps what a statement has said while Stripe answered', async () => {
    const id = await bring(await at.subscribe());
    await at.shop.refund(id, 300);
    const held = at.shop.faults.hold('GET /v1/charges');
    const late = at.lookAt(id);
    await held.arrived;
    const seen = await find(id);
    if (seen === null) throw new Error('there is no sale');
    await store().sales.replace(
      seen,
      { ...seen, ...inStatement(270, later(1)), revision: seen.revision + 1 },
      null,
      aCall(),
    );
    held.release();
    await late;
    expect(await find(id)).to.deep.include({ ...inStatement(270, later(1)), revision: seen.revision + 2 });
    expect(await paidOf(id)).to.deep.equal([[900, 600]]);
  });

  it('gives an old answer of Stripe that comes late not the last word', async () => {
    const id = await bring(await at.subscribe());
    const held = at.shop.faults.hold('GET /v1/charges');
    const late = at.lookAt(id);
    await held.arrived;
    await at.shop.refund(id, 300);
    await at.lookAt(id);
    held.release();
    await late;
    expect(await paidOf(id)).to.deep.equal([[900, 600]]);
  });

  it('looks again after a write, which may say what was undone meanwhile', async () => {
    const id = await bring(await at.subscribe());
    await at.shop.refund(id, 300);
    const held = at.shop.faults.hold('GET /v1/charges');
    const late = at.lookAt(id);
    await held.arrived;
    await at.shop.failRefund(id);
    await at.lookAt(id);
    held.release();
    await late;
    expect(await paidOf(id)).to.deep.equal([[900, 900]]);
  });

  it('is missing as a difference of the kind commission, until it was made', async () => {
    const id = await bring(await at.subscribe());
    const difference = await differenceOf(at, store());
    expect(await difference(id)).to.equal(null);
    await at.shop.refund(id, 300);
    expect(await difference(id)).to.equal('commission');
    expect(await paidOf(id)).to.deep.equal([[900, 900]]);
    await at.lookAt(id);
    expect(await difference(id)).to.equal(null);
    at.now = later(30 * day);
    expect(await difference(id)).to.equal('commission');
  });

  it('ends with what is kept at Stripe, whatever has happened and whichever looks were lost', async () => {
    const steps = fc.array(fc.record({ verb: fc.constantFrom(...shopVerbs), looks: fc.boolean() }), { maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        at.now = later(0);
        const id = await bring(await at.subscribe());
        for (const { verb, looks } of history) {
          at.now = new Date(at.now.getTime() + 1000);
          await happen(at.shop, id, verb);
          if (looks) await at.lookAt(id);
        }
        await at.lookAt(id);
        expect((await find(id))?.payments).to.deep.equal(keptPaymentsOf(at.shop, id));
      }),
      { numRuns: rounds(12, 300) },
    );
  });
});

const none = async (): Promise<null> => null;

async function differenceOf(at: LookedAtShop, ports: StorePorts): Promise<(id: string) => Promise<string | null>> {
  const stripe = await createStripe({ apiKey: at.shop.apiKey, apiBase: at.shop.url });
  const { priceMap: prices, stripeCases: cases } = ports;
  const own = { administration: at.administration, prices, cases, digest, readPending: none, readEffect: none };
  const parts = { ...ports, ...own, stripe, unpaidAccess: 21 * day, findsEverySeller: true };
  return async (id) => (await inspect(parts, id, at.call())).kind;
}
