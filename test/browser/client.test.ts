import { expect } from 'chai';
import type * as Client from '../../client/index.ts';
import { licenseKeys } from '../support/http/fixtures.ts';
import { populatedServices } from '../support/http/service-hooks.ts';
import { borrowChromium } from './launch-chromium.ts';
import { serveClient, type ClientSite } from './serve-client.ts';

describe('the client in a page of another origin', () => {
  const started = populatedServices();
  const browser = borrowChromium();
  let site: ClientSite;

  before(async () => {
    site = await serveClient();
  });
  after(async () => {
    site.close();
  });

  it('reads the catalog, joins the waitlist, verifies a license and says what went wrong', async () => {
    const service = await started();
    const page = await browser().newPage();
    await page.goto(site.url);
    const seen = await page.evaluate(
      async ([baseUrl, licenseKey]) => {
        const module = '/client/index.ts';
        const { LatchkeyClient } = (await import(module)) as typeof Client;
        const client = new LatchkeyClient({ baseUrl });
        const { data } = await client.listings.list({ q: 'desk' });
        await client.waitlist.join({ email: 'ada@example.com' });
        const { verdict } = await client.licenses.verify(licenseKey);
        const error = await client.listings.get('none').catch((reason: { readonly name: string }) => reason);
        return { slugs: data.map(({ slug }) => slug), verdict, error: { ...error } };
      },
      [service.url, licenseKeys.active] as const,
    );
    const [{ correlationId } = {}] = service.logged.filter(({ status }) => status === 404);
    expect(seen).to.deep.equal({
      slugs: ['tidy'],
      verdict: 'valid',
      error: {
        name: 'NotFoundError',
        status: 404,
        code: 'listing_not_found',
        correlationId,
        retryAfter: null,
        retryable: false,
      },
    });
    await page.close();
  });
});
