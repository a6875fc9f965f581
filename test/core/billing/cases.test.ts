import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { makeLicenseSecret } from '../../../core/billing/derive-license-key.ts';
import { listCases } from '../../../core/billing/list-cases.ts';
import { everyPrice, listPrices, mapPrice, unmapPrice } from '../../../core/billing/map-prices.ts';
import { findMappedSales } from '../../../core/billing/mapped-sales.ts';
import { caseKinds, isOfMail, type StripeCase } from '../../../core/billing/stripe-cases.port.ts';
import { dashboardUrl, isLive, salePage } from '../../../core/billing/stripe-dashboard.ts';
import { cursorAt } from '../../../core/paging/cursor.ts';
import { aCall, aProduct, later, noon } from '../../support/builders.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { aStripeCase } from '../../support/stripe/stripe-cases.ts';
import { refusalOf } from '../../support/thrown.ts';

const tier = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', deviceLimit: null, updates: null };

describe('the sales that need a person', () => {
  const store = freshStore(memory.open);
  const put = async (...cases: readonly Partial<StripeCase>[]) => {
    for (const one of cases) await store().stripeCases.put(aStripeCase(one), aCall());
  };

  it('are listed page by page, the oldest case first', async () => {
    await put({ id: 'sub_2', since: later(1) }, { id: 'sub_1', since: later(2) });
    await put({ id: 'sub_3', since: noon }, { id: 'sub_3', kind: 'revoked_here', since: noon });
    const list = listCases(store().stripeCases);
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const page = await list({ after, limit: 1 }, aCall());
      seen.push(...page.items.map(({ id, kind }) => `${id} ${kind}`));
      after = page.next;
      if (after === null) break;
    }
    expect(seen).to.deep.equal(['sub_3 not_sent', 'sub_3 revoked_here', 'sub_2 not_sent', 'sub_1 not_sent']);
  });

  it('have cursors of their own', async () => {
    const list = listCases(store().stripeCases);
    const at = (...parts: readonly string[]) =>
      refusalOf(list({ after: cursorAt(['cases'], parts), limit: 1 }, aCall()));
    for (const parts of [
      ['1', 'sub_1', 'none'],
      ['1', 'sub_1'],
      ['1'],
      ['', 'sub_1', 'not_sent'],
      ['x', 'sub_1', 'not_sent'],
      ['1x', 'sub_1', 'not_sent'],
      ['x1', 'sub_1', 'not_sent'],
      ['1'.repeat(16), 'sub_1', 'not_sent'],
    ])
      expect((await at(...parts)).code, parts.join(' ')).to.equal('invalid_parameter');
    const valid = cursorAt(['cases'], ['1'.repeat(15), 'sub_1', 'not_sent']);
    expect((await list({ after: valid, limit: 1 }, aCall())).items).to.deep.equal([]);
  });

  it('wait for a mapping that may be there by now', async () => {
    await put({ id: 'sub_1', kind: 'unmapped_price', detail: 'price_1, price_2', since: noon });
    await put({ id: 'sub_2', kind: 'unmapped_price', detail: 'price_3', since: later(1) });
    await put({ id: 'sub_3', kind: 'unmapped_price', detail: 'price_2', since: later(2) });
    await put({ id: 'sub_4', kind: 'unmapped_price', detail: null, since: later(3) });
    await put({ id: 'sub_5', kind: 'differs', detail: 'price_2', since: later(4) });
    const asked: unknown[] = [];
    const priceMap = interposed(store().priceMap, (_method, [price]) => asked.push(price));
    const find = findMappedSales({ priceMap, stripeCases: store().stripeCases });
    expect(await find(() => aCall())).to.deep.equal([]);
    await store().priceMap.put({ ...tier, price: 'price_2' }, aCall());
    asked.length = 0;
    expect(await find(() => aCall())).to.deep.equal(['sub_1', 'sub_3']);
    expect(asked).to.deep.equal(['price_1', 'price_2', 'price_3']);
    expect(
      await find(
        () => aCall(),
        () => true,
      ),
    ).to.deep.equal([]);
    await store().priceMap.put({ ...tier, price: 'price_1' }, aCall());
    expect(await find(() => aCall())).to.deep.equal(['sub_1', 'sub_3']);
  });

  it('may be those of mails, of which Stripe says nothing', () => {
    expect(caseKinds.filter(isOfMail)).to.deep.equal(['mail_refused', 'mail_parked']);
  });
});

describe('the mapping of a price', () => {
  const store = freshStore(memory.open);

  it('needs its product, and makes the secret of keys', async () => {
    const map = mapPrice(
      store().priceMap,
      store().products,
      makeLicenseSecret(store().licenseSecrets, nodePlatform.randomBytes),
    );
    const mapping = { ...tier, price: 'price_1' };
    expect((await refusalOf(map(mapping, aCall()))).code).to.equal('product_not_found');
    expect([await store().licenseSecrets.read(aCall()), await store().priceMap.find('price_1', aCall())]).to.deep.equal(
      [null, null],
    );
    await store().products.add(aProduct(), aCall());
    expect(await map(mapping, aCall())).to.deep.equal({ mapping, outcome: 'added' });
    const made = await store().licenseSecrets.read(aCall());
    expect(made?.secret).to.match(/^[0-9A-Za-z]{43}$/);
    expect((await map({ ...mapping, tierId: 'team' }, aCall())).outcome).to.equal('replaced');
    expect(await store().licenseSecrets.read(aCall())).to.deep.equal(made);
    const unmap = unmapPrice(store().priceMap);
    expect([await unmap('price_1', aCall()), await unmap('price_1', aCall())]).to.deep.equal([true, false]);
  });
});

describe('the list of mapped prices', () => {
  const store = freshStore(memory.open);

  it('is by price, page by page', async () => {
    for (const price of ['price_2', 'price_3', 'price_1']) await store().priceMap.put({ ...tier, price }, aCall());
    const list = listPrices(store().priceMap);
    const first = await list({ after: null, limit: 2 }, aCall());
    const last = await list({ after: first.next, limit: 2 }, aCall());
    expect([first, last].map(({ items }) => items.map(({ price }) => price))).to.deep.equal([
      ['price_1', 'price_2'],
      ['price_3'],
    ]);
    expect([first.next, last.next]).to.deep.equal([cursorAt(['prices'], ['price_2']), null]);
    const every = await Array.fromAsync(everyPrice(store().priceMap)(() => aCall()));
    expect(every).to.deep.equal([...first.items, ...last.items]);
    const foreign = list({ after: cursorAt(['products'], ['price_2']), limit: 2 }, aCall());
    expect((await refusalOf(foreign)).code).to.equal('invalid_parameter');
  });
});

describe('the page of a sale at Stripe', () => {
  it('is that of the subscription, or the list of payments', () => {
    expect([salePage('sub_1'), salePage('sub_a/b'), salePage('cs_1'), salePage('a_sub_1')]).to.deep.equal([
      'subscriptions/sub_1',
      'subscriptions/sub_a%2Fb',
      'payments',
      'payments',
    ]);
  });

  it('is of the test mode by the key, and without one by the id', () => {
    expect([true, false].map((livemode) => dashboardUrl('payments', { livemode }))).to.deep.equal([
      'https://dashboard.stripe.com/payments',
      'https://dashboard.stripe.com/test/payments',
    ]);
    expect([isLive('sk_live_1', 'cs_test_1'), isLive('rk_test_1', 'sub_1')]).to.deep.equal([true, false]);
    expect([isLive(null, 'cs_test_1'), isLive(null, 'cs_live_1'), isLive(null, 'sub_1')]).to.deep.equal([
      false,
      true,
      true,
    ]);
  });
});
