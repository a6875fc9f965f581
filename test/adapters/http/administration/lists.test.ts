import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import { cursorAt } from '../../../../core/paging/cursor.ts';
import { addStatement, aStatement } from '../../../support/affiliates/builders.ts';
import { aCall, aTrial, later, noon } from '../../../support/builders.ts';
import { freshAdmin, outcomeOf, type AdminClient } from '../../../support/http/admin-client.ts';
import { committedAdmin, operationsOf } from '../../../support/openapi/document.ts';
import { memory } from '../../../support/stores/stores.ts';
import { aStripeCase } from '../../../support/stripe/stripe-cases.ts';

const written = {
  name: 'Tidy',
  blurb: '',
  category: 'Productivity',
  commissionPercent: 30,
  compensationType: 'commission',
  compensationLabel: '30%',
  storefrontCount: 0,
};

/** The log has cursors of its own, and a statement never gets another line (`affiliates/statements.test.ts`). */
const ofOwnTests = ['/admin/events', '/admin/statements/{id}/lines'];

const grant = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };

/** A list, and how one more item gets into it. */
interface List {
  readonly path: string;
  readonly add: (admin: AdminClient, id: string) => Promise<unknown>;
}

const lists: readonly List[] = [
  {
    path: '/admin/products',
    add: (admin, id) => admin.put(`/admin/products/${id}`, { name: id }),
  },
  {
    path: '/admin/stripe/prices',
    add: (admin, id) =>
      admin.put(`/admin/stripe/prices/${id}`, { productId: 'prod_1', tierId: 'pro', tierName: 'Pro' }),
  },
  {
    path: '/admin/products/prod_1/app-keys',
    add: (admin, id) => admin.post('/admin/products/prod_1/app-keys', { id }),
  },
  {
    path: '/admin/products/prod_1/tiers',
    add: (admin, id) => admin.put(`/admin/products/prod_1/tiers/${id}`, { deviceLimit: 3 }),
  },
  {
    path: '/admin/products/prod_1/trials',
    add: ({ service }, id) => service.container.get(tokens.trials).add(aTrial({ id }), aCall()),
  },
  {
    path: '/admin/entitlements?product=prod_1&status=active',
    add: (admin, id) => admin.put(`/admin/entitlements/${id}`, grant),
  },
  {
    path: '/admin/entitlements',
    add: (admin, id) => admin.put(`/admin/entitlements/${id}`, grant),
  },
  {
    path: '/admin/waitlist',
    add: ({ service }, id) => {
      const body = JSON.stringify({ email: `${id}@example.com` });
      return service.send('/api/waitlist', { method: 'POST', headers: ['Content-Type: application/json'], body });
    },
  },
  {
    path: '/admin/affiliates',
    add: (admin, id) =>
      admin.post('/admin/affiliates', { email: `${id}@example.com`, handle: `ada-${id}`, name: 'Ada' }),
  },
  {
    path: '/admin/promotions',
    add: async (admin, id) => {
      await admin.post('/admin/affiliates', { email: 'ada@example.com', handle: 'ada', name: 'Ada' });
      await admin.put(`/admin/listings/${id}`, { ...written, productId: 'prod_1', commissionFor: 12 });
      await admin.put(`/admin/promotions/ada/${id}`, {});
    },
  },
  {
    path: '/admin/sales',
    add: async (admin, id) => {
      await admin.post('/admin/affiliates', { email: 'ada@example.com', handle: 'ada', name: 'Ada' });
      await admin.put('/admin/listings/promoted', { ...written, productId: 'prod_1', commissionFor: 12 });
      await admin.put('/admin/promotions/ada/promoted', {});
      await admin.put(`/admin/entitlements/${id}`, grant);
      // After the terms, and within the lead of a vendor's clock.
      const attributedAt = later(60_000).toISOString();
      const sale = { handle: 'ada', currency: 'usd', attributedAt, payments: [] };
      await admin.put(`/admin/entitlements/${id}/sale`, sale);
    },
  },
  {
    path: '/admin/statements',
    add: ({ service }, id) => addStatement(portsIn(service.container), aStatement({ handle: id })),
  },
  { path: '/admin/operators', add: (admin, id) => admin.post('/admin/operators', { id, name: id }) },
  { path: '/admin/listings', add: (admin, id) => admin.put(`/admin/listings/${id}`, written) },
  {
    path: '/admin/listings?state=live',
    add: (admin, id) => admin.put(`/admin/listings/${id}`, written),
  },
  {
    path: '/admin/stripe/cases',
    add: async ({ service }, id) => {
      await service.container.get(tokens.stripeCases).put(aStripeCase({ id, since: noon }), aCall());
    },
  },
  {
    path: '/admin/webhooks',
    add: (admin, id) => admin.post('/admin/webhooks', { id, url: 'https://shop.example/hooks' }),
  },
];

interface ListBody {
  readonly data: readonly object[];
  readonly meta: { readonly limit: number; readonly hasMore: boolean; readonly next: string | null };
}

const limit = 'limit must be a whole number from 1 to 100.';
const after = 'after must be the next of the page before, of the same list.';

/** The last two are refused by every list: core reads the cursors. */
const wrong: readonly (readonly [query: string, message: string])[] = [
  ...['0', '-1', '1.5', '1e1', '', 'ten', '%201', '01', '١'].map((each) => [`limit=${each}`, limit] as const),
  ['limit=1&limit=2', 'limit must occur once.'],
  ['after=x&after=y', 'after must occur once.'],
  ['limit=101', limit],
  [`after=${cursorAt(['others'], ['a'])}`, after],
];

describe('the lists of the administration', () => {
  it('are those with pages', () => {
    const paged = operationsOf(committedAdmin).filter(
      ({ path, operation }) =>
        !ofOwnTests.includes(path) && operation.parameters.some((each) => 'in' in each && each.name === 'limit'),
    );
    const tested = lists.map(({ path }) => path.replace('prod_1', '{id}').replace(/\?.*/, ''));
    expect(new Set(tested)).to.deep.equal(new Set(paged.map(({ path }) => path)));
  });
});

for (const { path, add } of lists) {
  describe(`GET ${path}`, () => {
    const admin = freshAdmin(memory);
    beforeEach(() => admin().put('/admin/products/prod_1', { name: 'Sketchpad' }));

    const page = async (query: string): Promise<ListBody> => {
      const { status, body } = await admin().get(`${path}${path.includes('?') ? '&' : '?'}${query}`);
      expect(status).to.equal(200);
      return body as ListBody;
    };

    it('has pages of at most the limit, and none after the last item', async () => {
      const before = (await page('limit=100')).data.length;
      for (const id of ['a', 'b', 'c']) await add(admin(), id);
      const total = before + 3;
      const exact = await page(`limit=${total}`);
      expect([exact.data.length, exact.meta]).to.deep.equal([total, { limit: total, hasMore: false, next: null }]);
      const first = await page(`limit=${total - 1}`);
      const rest = await page(`after=${first.meta.next}`);
      expect([...first.data, ...rest.data]).to.deep.equal(exact.data);
      expect([rest.data.length, rest.meta]).to.deep.equal([1, { limit: 50, hasMore: false, next: null }]);
    });

    it('refuses bounds that it does not have, and cursors of other lists', async () => {
      for (const [query, message] of path === '/admin/products' ? wrong : wrong.slice(-2)) {
        const reply = await admin().get(`${path}${path.includes('?') ? '&' : '?'}${query}`);
        expect(outcomeOf(reply), query).to.deep.equal([400, 'invalid_parameter', message]);
      }
    });
  });
}
