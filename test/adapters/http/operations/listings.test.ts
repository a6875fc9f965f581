import { expect } from 'chai';
import * as fc from 'fast-check';
import { openMemoryStore } from '../../../../adapters/memory/open-memory-store.ts';
import { createContainer } from '../../../../app/service/container.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import type { PageMeta } from '../../../../core/catalog/listing-page.ts';
import type { Listing } from '../../../../core/catalog/listing.ts';
import { defaultTtl, retentionFor } from '../../../../core/entitlement/idempotency/retention.ts';
import { aCall, aListing, withoutHiddenMembers } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { fetchDocumented } from '../../../support/http/http-client.ts';
import { RawClient } from '../../../support/http/raw-client.ts';
import { http } from '../../../support/http/requests.ts';
import { TestService } from '../../../support/http/test-service.ts';
import { range } from '../../../support/range.ts';

const path = '/api/marketplace/listings';
const shown = aListing({ id: 'lst_a', slug: 'a.b~c_d-e', name: 'Tool "A"', featured: true });
const other = aListing({ id: 'lst_b', slug: 'other', category: 'Data', storefrontCount: 1 });
const wildCharacters = '%&=+;?/\\"\'<>[]{}|^`~!@$*(),.-_0a'.split('');
const draft = aListing({ id: 'lst_d', slug: 'draft', state: 'draft' });

describe('the catalog over HTTP', () => {
  let service: TestService;
  beforeEach(async () => {
    const store = openMemoryStore(retentionFor(defaultTtl));
    await createContainer(store.ports).get(tokens.listings).put([other, draft, shown], aCall());
    service = await TestService.start(store);
  });
  afterEach(() => service.stop());

  it('answers a page with its members in the order of the specification', async () => {
    const response = await get(path);
    expect(await response.text()).to.equal(
      JSON.stringify({
        success: true,
        data: [publicly(shown), publicly(other)],
        meta: { total: 2, offset: 0, limit: 24, hasMore: false },
        categories: ['Data', 'Writing'],
        correlationId: response.headers.get('x-request-id'),
      }),
    );
    expect(response.headers.get('content-type')).to.equal('application/json');
  });

  it('answers a live listing under its slug, percent-encoded or not', async () => {
    for (const slug of ['a.b~c_d-e', '%61.b%7Ec%5Fd-e']) {
      const response = await get(`${path}/${slug}`);
      expect(await response.text()).to.equal(
        JSON.stringify({
          success: true,
          data: publicly(shown),
          correlationId: response.headers.get('x-request-id'),
        }),
      );
    }
  });

  it('answers a draft, an unknown slug and a malformed slug alike', async () => {
    for (const slug of ['draft', 'unknown', 'A.B~C_D-E', 'a%2Fb', '%F0%9F%9A%80', '__proto__', 'x'.repeat(500)]) {
      const response = await get(`${path}/${slug}`);
      expect([response.status, response.headers.get('error-code')]).to.deep.equal([404, 'listing_not_found']);
      expect(response.headers.get('cache-control')).to.equal('no-store');
      expect(await response.json()).to.deep.equal({
        success: false,
        error: 'Listing not found.',
        correlationId: response.headers.get('x-request-id'),
      });
    }
  });

  it('takes the first of a repeated parameter and ignores unknown ones', async () => {
    const response = await get(`${path}?limit=1&limit=2&q=%E0%A4%A&q=zzz&page=9&category=dATA`);
    expect((await bodyOf(response)).meta).to.deep.equal({ total: 0, offset: 0, limit: 1, hasMore: false });
    const unknown = await get(`${path}??limit=1`);
    expect((await bodyOf(unknown)).meta.limit).to.equal(24);
    const plus = await get(`${path}?q=tool+writing`);
    expect((await bodyOf(plus)).meta.total).to.equal(1);
  });

  it('answers any query with 200 and what it made of it', async () => {
    const names = ['q', 'sort', 'compensation', 'category', 'minCommission', 'minStorefronts', 'offset', 'limit', ''];
    const pairs = fc.array(fc.tuple(fc.constantFrom(...names), fc.string({ unit: 'binary' })), { maxLength: 9 });
    const wild = fc.string({ unit: fc.constantFrom(...wildCharacters) });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          pairs.map((all) => new URLSearchParams(all).toString()),
          wild,
        ),
        async (query) => {
          const response = await get(`${path}?${query}`);
          expect(response.status).to.equal(200);
          const { data, meta } = await bodyOf(response);
          expect(meta.limit).to.be.within(1, 48);
          expect(meta.offset).to.be.within(0, 2_147_483_647);
          expect(meta.hasMore).to.equal(meta.offset + data.length < meta.total);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('lets caches keep an answer and ask whether it changed', async () => {
    for (const target of [path, `${path}/other`]) {
      const first = await get(target);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).to.match(/^W\/"[\w-]+"$/);
      expect(headersOf(first, 'cache-control', 'vary')).to.deep.equal([
        'public, max-age=5, stale-while-revalidate=30',
        'API-Version',
      ]);
      expect((await get(target)).headers.get('etag')).to.equal(etag);
      for (const condition of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
        const again = await get(target, { 'If-None-Match': condition });
        expect([again.status, await again.text()]).to.deep.equal([304, '']);
        expect(headersOf(again, 'etag', 'cache-control', 'vary', 'api-version')).to.deep.equal([
          etag,
          'public, max-age=5, stale-while-revalidate=30',
          'API-Version',
          '2026-07-18',
        ]);
      }
      expect((await get(target, { 'If-None-Match': '"other"' })).status).to.equal(200);
    }
  });

  it('reads validators from any number of lines', async () => {
    const etag = (await get(path)).headers.get('etag') ?? '';
    const client = new RawClient(service.url);
    client.send(http(`GET ${path}`, ['If-None-Match: "x"', `If-None-Match: ${etag}`]));
    expect((await client.read('GET')).status).to.equal(304);
    client.close();
  });

  it('changes the validator with the catalog, within a second', async () => {
    const before = (await get(path)).headers.get('etag');
    await service.container.get(tokens.listings).setState('other', 'paused', aCall());
    const after = await eventually(
      async () => (await get(path)).headers.get('etag'),
      (etag) => etag !== before,
    );
    expect(after).not.to.equal(before);
    expect((await get(`${path}/other`)).status).to.equal(404);
    const page = await get(path, { 'If-None-Match': before ?? '' });
    expect((await bodyOf(page)).categories).to.deep.equal(['Writing']);
  });

  it('answers HEAD as GET, without the body', async () => {
    const [got, head] = await Promise.all([get(path), fetchDocumented(service.url + path, { method: 'HEAD' })]);
    expect(await head.text()).to.equal('');
    const names = ['etag', 'content-type', 'content-length', 'cache-control', 'vary'];
    expect(headersOf(head, ...names)).to.deep.equal(headersOf(got, ...names));
  });

  it('is open to pages of every origin, preflight included', async () => {
    const response = await get(path, { Origin: 'https://shop.example' });
    expect(headersOf(response, 'access-control-allow-origin', 'vary')).to.deep.equal(['*', 'API-Version']);
    const preflight = await fetchDocumented(`${service.url}${path}/other`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'api-version',
      },
    });
    expect(preflight.status).to.equal(204);
    expect(headersOf(preflight, 'access-control-allow-origin', 'access-control-allow-headers')).to.deep.equal([
      '*',
      '*',
    ]);
  });

  it('serves one state of the catalog in every page while it changes every few milliseconds', async () => {
    const listings = service.container.get(tokens.listings);
    let revision = 0;
    const change = setInterval(() => {
      revision += 1;
      const all = range(60).map((number) =>
        aListing({ id: `lst_${number}`, slug: `n-${number}`, name: `Revision ${revision}`, category: `C${revision}` }),
      );
      void listings.put([...all, { ...shown, state: 'paused' }, { ...other, state: 'paused' }], aCall());
    }, 5);
    try {
      const seen = new Set<string>();
      const until = performance.now() + 1500;
      while (seen.size < 3 || performance.now() < until) {
        const { data, categories } = await bodyOf(await get(`${path}?limit=48`));
        const names = new Set(data.map(({ name }) => name));
        if (!names.has('Tool "A"')) expect([names.size, categories.length]).to.deep.equal([1, 1]);
        seen.add(categories[0] ?? '');
      }
    } finally {
      clearInterval(change);
    }
  });

  it('lets no cache keep an answer while the store does not say what has changed', async () => {
    const listings = service.container.get(tokens.listings);
    listings.changesSince = async () => Promise.reject(new Error('the store is down'));
    const cacheable = 'public, max-age=5, stale-while-revalidate=30';
    const first = await get(`${path}/other`);
    expect([first.status, first.headers.get('cache-control')]).to.deep.equal([200, cacheable]);
    const later = await eventually(
      () => get(`${path}/other`),
      ({ headers }) => headers.get('cache-control') !== cacheable,
    );
    expect([later.status, later.headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    expect(later.headers.get('etag')).to.equal(first.headers.get('etag'));
  });

  function get(target: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetchDocumented(service.url + target, { headers });
  }
});

interface PageBody {
  readonly data: readonly Listing[];
  readonly meta: PageMeta;
  readonly categories: readonly string[];
}

async function bodyOf(response: Response): Promise<PageBody> {
  return (await response.json()) as PageBody;
}

function headersOf(response: Response, ...names: readonly string[]): readonly (string | null)[] {
  return names.map((name) => response.headers.get(name));
}

function publicly({ state: _1, publishedAt: _2, upfrontCents: _3, productId: _4, ...fields }: Listing): object {
  return withoutHiddenMembers(fields);
}
