import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { tokens } from '../../../app/service/tokens.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { aCall, aListing } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { freshService } from '../../support/http/service-hooks.ts';
import { memory } from '../../support/stores/stores.ts';
import { getPage, lastingParts, type ReceivedPage } from '../../support/web/page-client.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

describe('the marketplace', () => {
  const service = freshService(memory);
  const page = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<ReceivedPage> =>
    getPage(service().url + path, { headers });

  /** Stores listings and waits until the first page shows as many. */
  async function list(...listings: readonly Listing[]): Promise<void> {
    await service().container.get(tokens.listings).put(listings, aCall());
    const count = listings.filter(({ state }) => state === 'live').length;
    await eventually(
      async () => (await page('/')).text,
      (text) => text.includes(`"numberOfItems":${count},`),
    );
  }

  it('shows listings as cards, with links to their pages', async () => {
    await list(aListing({ name: 'Quiet & Editor', storefrontCount: 1200 }));
    const { status, headers, text } = await page('/');
    expect(status).to.equal(200);
    expect(text).to.match(/^<!doctype html>/);
    expect(text).to.include('<a href="/listings/quiet-editor">Quiet &amp; Editor</a>');
    expect(text).to.include('<p class="muted num">1,200 storefronts</p>');
    expect(headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=5, stale-while-revalidate=30',
      vary: 'Accept-Encoding, Accept',
      'api-version': '2026-07-18',
    });
    expect(headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
    expect(headers).to.not.have.any.keys('set-cookie', 'access-control-allow-origin', 'server');
  });

  it('is for clients that prefer HTML; others get JSON as before', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/plain, */*']) {
      const { status, headers, text } = await page('/', { Accept: accept });
      expect([status, headers['content-type'], headers['vary']], accept).to.deep.equal([
        200,
        'application/json',
        'Accept',
      ]);
      expect(JSON.parse(text), accept).to.include({ name: 'Latchkey' });
    }
    expect((await service().send('/api/marketplace/listings')).headers['vary']).to.equal('API-Version');
  });

  it('answers HEAD with the same header fields and no content', async () => {
    const head = await getPage(`${service().url}/`, { method: 'HEAD' });
    const get = await page('/');
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect(lastingParts(head)).to.deep.equal(lastingParts(get));
  });

  it('searches, filters and sorts as the API does, also with the fields that a form sends empty', async () => {
    await list(
      aListing(),
      aListing({ id: 'lst_2', slug: 'loud', name: 'Loud', category: 'Music', commissionPercent: 55 }),
    );
    const names = async (query: string): Promise<readonly string[]> =>
      [...(await page(`/?${query}`)).text.matchAll(/href="\/listings\/([^"]+)"/g)].map(([, slug = '']) => slug);
    expect(await names('q=&category=&compensation=&minCommission=&minStorefronts=&sort=')).to.have.length(2);
    expect(await names('q=LOUD&category=')).to.deep.equal(['loud']);
    expect(await names('category=music')).to.deep.equal(['loud']);
    expect(await names('minCommission=50')).to.deep.equal(['loud']);
    expect(await names('sort=reward')).to.deep.equal(['loud', 'quiet-editor']);
    const none = await page('/?q=nothing+like+it');
    expect(none.status).to.equal(200);
    expect(none.text).to.include('No listing matches.').and.include('<a class="button" href="/">Show all listings</a>');
  });

  it('pages through everything that matches', async () => {
    await list(...Array.from({ length: 49 }, (_, index) => aListing({ id: `lst_${index}`, slug: `tool-${index}` })));
    const second = (await page('/?q=editor&offset=24')).text;
    expect(second).to.include('>25–48 of 49</p>').and.include('Page 2 of 3');
    expect(second)
      .to.match(/rel="prev"[^>]*href="\/\?q=editor"/)
      .and.match(/rel="next"[^>]*href="\/\?q=editor&amp;offset=48"/);
    expect((await page('/?offset=4800')).text).to.include('<a class="button" href="/">Go to the first page</a>');
  });

  it('describes itself to search engines, which leave searches out', async () => {
    await list(aListing({ name: '</script><b>' }));
    const { url } = service();
    const { text } = await page('/');
    expect(text).to.include(`<link rel="canonical" href="${url}/" />`).and.include('<meta property="og:title"');
    const [, json = ''] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(json)).to.deep.include({ '@type': 'ItemList', numberOfItems: 1 });
    expect(JSON.parse(json).itemListElement).to.deep.equal([
      { '@type': 'ListItem', position: 1, name: '</script><b>', url: `${url}/listings/quiet-editor` },
    ]);
    for (const query of ['q=editor', 'sort=new', 'category=Writing']) {
      const searched = (await page(`/?${query}`)).text;
      expect(searched, query).to.include('content="noindex, follow"').and.not.include('rel="canonical"');
    }
  });

  it('has a page for each live listing', async () => {
    await list(aListing({ blurb: 'Two\nlines' }), aListing({ id: 'lst_2', slug: 'draft', state: 'draft' }));
    const { status, text, headers } = await page('/listings/quiet-editor');
    expect([status, headers['content-security-policy'], headers['vary']]).to.deep.equal([
      200,
      policy,
      'Accept-Encoding',
    ]);
    expect(text).to.include('Two\nlines').and.include('"@type":"Product"').and.include('content="product"');
    expect(text).to.include(`<link rel="canonical" href="${service().url}/listings/quiet-editor" />`);
    const unknown = await page('/listings/unknown');
    const hidden = await page('/listings/draft');
    for (const missing of [unknown, hidden]) {
      expect(missing.status).to.equal(404);
      expect(missing.headers).to.include({ 'error-code': 'listing_not_found', 'cache-control': 'no-store' });
      expect(missing.text)
        .to.include('<h1>Page not found</h1>')
        .and.include('<span class="mono">listing_not_found</span>')
        .and.include(missing.headers['x-request-id'] ?? '?');
    }
  });

  it('answers browsers with a page where nothing is, and others with JSON', async () => {
    const found = await page('/nowhere');
    expect([found.status, found.headers['content-type'], found.headers['error-code']]).to.deep.equal([
      404,
      'text/html; charset=utf-8',
      'not_found',
    ]);
    expect(found.text).to.include('There is nothing at this address.');
    expect((await service().send('/nowhere')).body).to.have.property('success', false);
    expect((await page('/api/marketplace/listings/unknown')).headers['content-type']).to.equal('application/json');
  });

  it('has a weak ETag that changes with the listing, and 304', async () => {
    await list(aListing());
    for (const path of ['/', '/listings/quiet-editor', '/?q=editor', '/sitemap.xml']) {
      const { headers } = await page(path);
      const etag = headers['etag'] ?? '';
      expect(etag, path).to.match(/^W\/"[\w-]{22}"$/);
      const again = await page(path, { 'If-None-Match': etag });
      expect([again.status, again.text, again.headers['etag']], path).to.deep.equal([304, '', etag]);
    }
    const before = (await page('/listings/quiet-editor')).headers['etag'];
    await service()
      .container.get(tokens.listings)
      .put([aListing({ blurb: 'Changed' })], aCall());
    await eventually(
      async () => (await page('/listings/quiet-editor')).text,
      (text) => text.includes('Changed'),
    );
    expect((await page('/listings/quiet-editor')).headers['etag']).to.not.equal(before);
  });

  it('compresses as the client prefers', async () => {
    await list(aListing());
    const plain = await page('/');
    const brotli = await page('/', { 'Accept-Encoding': 'gzip, deflate, br' });
    const gzip = await page('/', { 'Accept-Encoding': 'gzip' });
    expect([brotli, gzip].map(({ headers }) => headers['content-encoding'])).to.deep.equal(['br', 'gzip']);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).to.equal(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).to.equal(true);
    expect(gzip.headers['etag']).to.equal(plain.headers['etag']);
  });

  it('names its files by their content, so that caches keep them for ever', async () => {
    await list(...Array.from({ length: 13 }, (_, index) => aListing({ id: `lst_${index}`, slug: `tool-${index}` })));
    const { text } = await page('/');
    const paths = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths).to.have.length(4);
    for (const path of paths) {
      const { status, headers } = await page(path);
      expect([status, headers['cache-control']], path).to.deep.equal([200, 'public, max-age=31536000, immutable']);
    }
    const font = paths.find((path) => path.endsWith('.woff2')) ?? '';
    const { headers, bytes } = await page(font, { 'Accept-Encoding': 'br, gzip' });
    expect(headers).to.include({ 'content-type': 'font/woff2' }).and.not.have.property('content-encoding');
    expect(bytes.length).to.equal(48_256);
    const sheet = (await page(paths.find((path) => path.endsWith('.css')) ?? '')).text;
    const faces = [...sheet.matchAll(/url\('([^']+)'\)/g)].map(([, name = '']) => `/assets/${name}`);
    expect(faces).to.have.length(2).and.include(font);
    expect((await page(faces[1] ?? '')).bytes.length).to.equal(85_068);
    expect((await page('/assets/pages-0000000000.css')).status).to.equal(404);
    expect((await page('/assets/..%2Flatchkey.css')).status).to.equal(404);
  });

  it('leaves the log line of any request', async () => {
    await page('/listings/unknown');
    expect(service().logged.filter(({ operation }) => operation === 'showListing')).to.have.nested.property(
      '[0].status',
      404,
    );
    expect(service().logged.at(-1)).to.include({
      route: '/listings/:slug',
      errorCode: 'listing_not_found',
      method: 'GET',
    });
  });
});
