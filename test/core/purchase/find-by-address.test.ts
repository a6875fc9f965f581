import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import type { Call } from '../../../core/call.ts';
import { fullSnapshotAt } from '../../../core/entitlement/administration/show-entitlement.ts';
import type { SalesOfAddress } from '../../../core/mail/buyer-addresses.port.ts';
import type { AddressLookEnd } from '../../../core/purchase/find-by-address.ts';
import { findPurchase, type FoundAddress } from '../../../core/purchase/find-purchase.ts';
import { aCall, aProduct, aSignUp, aSubscription, granted, later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { thrownBy } from '../../support/thrown.ts';

const typed = 'ADA@example.com';

const sale = (id: string, at = noon) => aSubscription({ id, createdAt: at });

describe('finding what was sold to an address', () => {
  const store = freshStore(memory.open);
  let answer: SalesOfAddress;
  let asked: string[];
  let reports: AddressLookEnd[];

  beforeEach(async () => {
    [answer, asked, reports] = [{ kind: 'read', sales: [] }, [], []];
    await store().products.add(aProduct(), aCall());
    const tier = { tierId: 'pro', tierName: 'Pro', deviceLimit: null, updates: null };
    await store().priceMap.put({ ...tier, productId: 'prod_1', price: 'price_1' }, aCall());
  });

  const find = (what = typed, call: Call = aCall()) =>
    findPurchase(store(), digest, {
      salesTo: async (text) => {
        asked.push(text);
        return answer;
      },
      report: (end) => void reports.push(end),
    })(what, true, call);
  const found = async (call?: Call) => (await find(typed, call)) as FoundAddress;
  const sold = (...ids: readonly string[]) => {
    const sales = ids.map((entitlementId) => ({ entitlementId, address: typed, customer: `cus_${entitlementId}` }));
    answer = { kind: 'read', sales };
  };

  it('shows the purchases, the newest first, and the customer of the newest', async () => {
    const [older, newer] = [sale('sub_1'), sale('sub_2', later(1))];
    await store().allEntitlements.add(granted([older, newer]), aCall());
    await store().allEntitlements.add(granted([aSubscription({ id: 'ent_1', reference: typed })]), aCall());
    await store().waitlist.join(aSignUp(), aCall());
    sold('sub_1', 'sub_2', 'sub_9');
    const { references, ...facts } = await found();
    expect(facts).to.deep.equal({
      kind: 'address',
      sales: [newer, older].map((entitlement) => ({
        entitlement: fullSnapshotAt(entitlement, noon),
        product: aProduct(),
        why: { by: null, reason: null, at: null },
      })),
      count: 2,
      missing: 1,
      customer: 'cus_sub_2',
      trouble: null,
      signUp: aSignUp(),
    });
    expect(references.map(({ id }) => id)).to.deep.equal(['ent_1']);
    expect([asked, reports]).to.deep.equal([[typed], [{ found: 2, failure: null }]]);
  });

  it('shows the 20 newest, and how many there are', async () => {
    const ids = range(21).map((number) => `sub_${number}`);
    await store().allEntitlements.add(granted(ids.map((id, number) => sale(id, later(number)))), aCall());
    sold(...ids);
    const { sales, count } = await found();
    expect(sales.map(({ entitlement }) => entitlement.id)).to.deep.equal(ids.slice(1).toReversed());
    expect(count).to.equal(21);
  });

  it('tells a caller with some products neither the customer nor what is missing', async () => {
    await store().allEntitlements.add(granted([sale('sub_1')]), aCall());
    sold('sub_1', 'sub_9');
    const limited = await found(aCall({ products: new Set(['prod_1']) }));
    expect(limited).to.deep.include({ count: 1, missing: 0, customer: null });
  });

  it('says what Stripe has not said, and shows what it has', async () => {
    await store().allEntitlements.add(granted([sale('sub_1')]), aCall());
    sold('sub_1');
    for (const [code, trouble] of [
      ['stripe 403', 'refused'],
      ['stripe 500', 'no answer'],
      ['timeout', 'no answer'],
    ] as const) {
      answer = { ...answer, kind: 'failed', code, retryAfter: null };
      expect(await found()).to.deep.include({ kind: 'address', count: 1, trouble });
      expect(reports.at(-1)).to.deep.equal({ found: 1, failure: code });
    }
    answer = { kind: 'failed', code: 'timeout', retryAfter: null, sales: [] };
    expect(await find()).to.deep.include({ kind: 'address', count: 0, missing: 0, customer: null });
  });

  it('says so where Stripe has sold what is not here', async () => {
    sold('sub_9');
    expect(await find()).to.deep.include({ kind: 'address', count: 0, missing: 1, customer: null, signUp: null });
  });

  it('goes on where nothing was sold', async () => {
    expect(await find()).to.deep.equal({ kind: 'nothing', form: 'e-mail address' });
    await store().waitlist.join(aSignUp(), aCall());
    expect(await find()).to.deep.equal({ kind: 'sign-up', signUp: aSignUp() });
  });

  it('asks Stripe for nothing but addresses', async () => {
    await find('sub_2');
    await find('');
    expect([asked, reports]).to.deep.equal([[], []]);
  });

  it('is refused to whoever asks too often', async () => {
    const refused = new Error('rate limited');
    const looks = { salesTo: () => Promise.reject(refused), report: (end: AddressLookEnd) => void reports.push(end) };
    expect(await thrownBy(findPurchase(store(), digest, looks)(typed, true, aCall()))).to.equal(refused);
    expect(reports).to.deep.equal([]);
  });

  it('has time for its reads when Stripe has taken that of the call', async () => {
    await store().allEntitlements.add(granted([sale('sub_1')]), aCall());
    sold('sub_1');
    let left = 0;
    const looks = {
      salesTo: async () => answer,
      report: (_end: AddressLookEnd, { deadline }: Call) => void (left = deadline.remaining()),
    };
    await findPurchase(store(), digest, looks)(typed, true, aCall({ deadline: { remaining: () => 5 } }));
    expect(left).to.equal(8005);
  });
});
