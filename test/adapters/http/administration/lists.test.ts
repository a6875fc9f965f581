import { expect } from 'chai';
import { cursorAt } from '../../../../core/paging/cursor.ts';
import { dataOf, freshAdmin, outcomeOf, type AdminClient } from '../../../support/http/admin-client.ts';
import { stores } from '../../../support/stores/stores.ts';

const written = {
  name: 'Tidy',
  blurb: '',
  category: 'Productivity',
  commissionPercent: 30,
  compensationType: 'commission',
  compensationLabel: '30%',
  storefrontCount: 0,
};

const grant = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };

/** A list, how one more item gets into it, and the id of an item. */
interface List {
  readonly path: string;
  readonly add: (admin: AdminClient, id: string) => Promise<unknown>;
  readonly member: 'id' | 'slug' | 'email';
}

const lists: readonly List[] = [
  {
    path: '/admin/products',
    add: (admin, id) => admin.put(`/admin/products/${id}`, { name: id }),
    member: 'id',
  },
  {
    path: '/admin/products/prod_1/app-keys',
    add: (admin, id) => admin.post('/admin/products/prod_1/app-keys', { id }),
    member: 'id',
  },
  {
    path: '/admin/entitlements?product=prod_1&status=active',
    add: (admin, id) => admin.put(`/admin/entitlements/${id}`, grant),
    member: 'id',
  },
  {
    path: '/admin/entitlements',
    add: (admin, id) => admin.put(`/admin/entitlements/${id}`, grant),
    member: 'id',
  },
  {
    path: '/admin/waitlist',
    add: ({ service }, id) => {
      const body = JSON.stringify({ email: `${id}@example.com` });
      return service.send('/api/waitlist', { method: 'POST', headers: ['Content-Type: application/json'], body });
    },
    member: 'email',
  },
  { path: '/admin/operators', add: (admin, id) => admin.post('/admin/operators', { id, name: id }), member: 'id' },
  { path: '/admin/listings', add: (admin, id) => admin.put(`/admin/listings/${id}`, written), member: 'slug' },
  {
    path: '/admin/listings?state=live',
    add: (admin, id) => admin.put(`/admin/listings/${id}`, written),
    member: 'slug',
  },
];

interface ListBody {
  readonly data: readonly Record<'id' | 'slug' | 'email', string>[];
  readonly meta: { readonly limit: number; readonly hasMore: boolean; readonly next: string | null };
}

for (const store of stores) {
  for (const { path, add, member } of lists) {
    describe(`GET ${path} on ${store.name}`, () => {
      const admin = freshAdmin(store);
      beforeEach(() => admin().put('/admin/products/prod_1', { name: 'Sketchpad' }));

      const page = async (query: string): Promise<ListBody> => {
        const { status, body } = await admin().get(`${path}${path.includes('?') ? '&' : '?'}${query}`);
        expect(status).to.equal(200);
        return body as ListBody;
      };

      /** Walks over the list; `between` runs after each page. */
      const walk = async (limit: number, between: (number: number) => Promise<unknown>): Promise<readonly string[]> => {
        const ids: string[] = [];
        let query = `limit=${limit}`;
        for (let number = 1; ; number += 1) {
          const { data, meta } = await page(query);
          ids.push(...data.map((item) => item[member].replace('@example.com', '')));
          expect([meta.limit, meta.hasMore]).to.deep.equal([limit, meta.next !== null]);
          if (meta.next === null) return ids;
          await between(number);
          query = `limit=${limit}&after=${meta.next}`;
        }
      };

      it('shows each item once that exists during a walk, while others come and go', async () => {
        const ids = ['b', 'd', 'f', 'h', 'j', 'l', 'n'];
        for (const id of ids) await add(admin(), id);
        const walked = await walk(2, async (number) => {
          await add(admin(), String.fromCodePoint(96 + 2 * number + 1)); // c, e, g, …
          if (member === 'slug') {
            await add(admin(), 'a');
            await admin().send('DELETE', '/admin/listings/a');
          }
        });
        expect(walked.filter((id) => ids.includes(id)).toSorted()).to.deep.equal(ids);
        expect(walked.length).to.equal(new Set(walked).size);
      });

      it('has pages of at most the limit, and none after the last item', async () => {
        const before = (await page('limit=100')).data.length;
        for (const id of ['a', 'b', 'c']) await add(admin(), id);
        const total = before + 3;
        const exact = await page(`limit=${total}`);
        expect([exact.data.length, exact.meta]).to.deep.equal([total, { limit: total, hasMore: false, next: null }]);
        const { meta } = await page(`limit=${total - 1}`);
        const rest = await page(`after=${meta.next}`);
        expect([rest.data.length, rest.meta]).to.deep.equal([1, { limit: 50, hasMore: false, next: null }]);
      });

      it('refuses bounds that it does not have, and cursors that it has not given', async () => {
        const join = path.includes('?') ? '&' : '?';
        const limit = 'limit must be a whole number from 1 to 100.';
        const after = 'after must be the next of the page before, of the same list.';
        const wrong: readonly (readonly [query: string, message: string])[] = [
          ...['0', '101', '-1', '1.5', '1e1', '', 'ten', '%201', '01', '١'].map(
            (each) => [`limit=${each}`, limit] as const,
          ),
          ['limit=1&limit=2', 'limit must occur once.'],
          ['after=x&after=y', 'after must occur once.'],
          ...['', 'x', '%00', '%F0%9F%98%80', 'a'.repeat(2000), cursorAt(['others'], ['a'])].map(
            (each) => [`after=${each}`, after] as const,
          ),
          [`after=${cursorAt(['listings', 'paused'], ['a'])}`, after],
        ];
        for (const [query, message] of wrong) {
          const reply = await admin().get(`${path}${join}${query}`);
          expect(outcomeOf(reply), query).to.deep.equal([400, 'invalid_parameter', message]);
        }
        expect(dataOf(await admin().get(`${path}${join}unknown=1`))).to.be.an('array');
      });
    });
  }
}
