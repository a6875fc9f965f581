import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { openMemoryStore } from '../../adapters/memory/open-memory-store.ts';
import { createContainer } from '../../app/service/container.ts';
import { tokens } from '../../app/service/tokens.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import { aCall, aListing } from '../support/builders.ts';
import { TestService } from '../support/http/test-service.ts';
import { signUpsIn } from '../support/stores/whole-lists.ts';
import { borrowChromium } from './launch-chromium.ts';

/** The part of an answer that the page sees. */
interface Seen {
  readonly status: number;
  readonly version: string | null;
  readonly etag: string | null;
  readonly code: string | null;
  readonly body: Record<string, unknown>;
}

/** The options of a request by the page. */
interface RequestOptions {
  readonly method?: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly cache?: 'no-cache';
}

const edition = { 'API-Version': '2026-07-18' };

describe('a page of another origin in a browser with a cache', () => {
  const browser = borrowChromium();
  let site: Server;
  let service: TestService;
  let page: Page;

  before(async () => {
    site = createServer(
      (_, response) => void response.setHeader('Content-Type', 'text/html').end('<title>Shop</title>'),
    );
    await once(site.listen(0, '127.0.0.1'), 'listening');
  });
  after(async () => {
    site.close();
  });

  beforeEach(async () => {
    const store = openMemoryStore(retentionFor(defaultTtl));
    await createContainer(store.ports).get(tokens.listings).put([aListing()], aCall());
    service = await TestService.start(store, { corsOrigins: [origin()] });
    page = await browser().newPage();
    await page.goto(origin());
  });
  afterEach(async () => {
    await page.close();
    await service.stop();
  });

  it('reads listings in an edition that it names, and the headers that are exposed', async () => {
    const list = await ask('/api/marketplace/listings?q=editor', { headers: edition });
    expect([list.status, list.version, list.body['meta']]).to.deep.equal([
      200,
      '2026-07-18',
      { total: 1, offset: 0, limit: 24, hasMore: false },
    ]);
    expect(list.etag).to.match(/^W\//);
    const missing = await ask('/api/marketplace/listings/unknown', { headers: edition });
    expect([missing.status, missing.code]).to.deep.equal([404, 'listing_not_found']);
  });

  it('asks once as long as the answer is fresh, and then whether it has changed', async () => {
    const path = '/api/marketplace/listings';
    const first = await ask(path, { headers: edition });
    expect(await ask(path, { headers: edition })).to.deep.equal(first);
    expect(statuses()).to.deep.equal([200]);
    expect(await ask(path, { headers: edition, cache: 'no-cache' })).to.deep.equal(first);
    expect(statuses()).to.deep.equal([200, 304]);
  });

  it('joins the waitlist', async () => {
    const init = { method: 'POST', headers: { ...edition, 'Content-Type': 'application/json' } };
    const joined = await ask('/api/waitlist', { ...init, body: '{"email":"ada@example.com"}' });
    expect([joined.status, joined.body['success']]).to.deep.equal([200, true]);
    const refused = await ask('/api/waitlist', { ...init, body: '{"email":"ada"}' });
    expect([refused.status, refused.code]).to.deep.equal([400, 'invalid_email']);
    const entries = await signUpsIn({ waitlist: service.container.get(tokens.waitlist) });
    expect(entries.map(({ email }) => email)).to.deep.equal(['ada@example.com']);
  });

  function origin(): string {
    return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  }

  function ask(path: string, init: RequestOptions): Promise<Seen> {
    return page.evaluate(
      async ([url, options]) => {
        const response = await fetch(url, options);
        const header = (name: string): string | null => response.headers.get(name);
        return {
          status: response.status,
          version: header('api-version'),
          etag: header('etag'),
          code: header('error-code'),
          body: (await response.json()) as Record<string, unknown>,
        };
      },
      [service.url + path, init] as const,
    );
  }

  /** Of the requests for listings, in the order in which they were answered; preflights have no operation. */
  function statuses(): readonly unknown[] {
    return service.logged.filter(({ operation }) => operation === 'listListings').map(({ status }) => status);
  }
});
