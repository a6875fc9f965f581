import { expect } from 'chai';
import { RawClient, type RawResponse } from '../../../support/http/raw-client.ts';
import { bearer, http } from '../../../support/http/requests.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';

const id = 'X-Request-Id: head-and-get';
type Target = readonly [target: string, headers: readonly string[]];
const validated: readonly Target[] = [
  ['/api/marketplace/listings', []],
  ['/api/marketplace/listings/tidy', []],
  ['/api/app-entitlements/ent_1', [bearer()]],
  ['/.well-known/oauth-protected-resource', []],
  ['/openapi.json', []],
];
const targets: readonly Target[] = [
  ...validated,
  ['/api/marketplace/listings/unknown', []],
  ['/api/app-entitlements/ent_1', []],
  ['/livez', []],
  ['/nowhere', []],
  ['/livez', ['API-Version: 2000-01-01']],
];

/** The header fields that a 304 leaves out: it has no content (RFC 9110 §15.4.5). */
const ofContent = ['content-type', 'content-length'];

describe('the header section', () => {
  const start = populatedServices();

  for (const [target, headers] of targets) {
    it(`of HEAD is that of GET: ${[target, ...headers].join(', ').replace(bearer(), 'with a key')}`, async () => {
      const { url } = await start();
      const get = await headerSectionOf(url, http(`GET ${target}`, [id, ...headers]));
      expect(await headerSectionOf(url, http(`HEAD ${target}`, [id, ...headers]))).to.deep.equal(get);
    });
  }

  for (const [target, headers] of validated) {
    it(`of a 304 is that of the 200 but for the content: ${target}`, async () => {
      const { url } = await start();
      const { headers: full } = await headerSectionOf(url, http(`GET ${target}`, [id, ...headers]));
      const [etag = ''] = full['etag'] ?? [];
      const same = await headerSectionOf(url, http(`GET ${target}`, [id, ...headers, `If-None-Match: ${etag}`]));
      const left = Object.entries(full).filter(([name]) => !ofContent.includes(name));
      expect(same).to.deep.equal({ status: 304, headers: Object.fromEntries(left) });
    });
  }
});

/** Returns the header section of the answer to these bytes, without what differs each time. */
async function headerSectionOf(url: string, bytes: string): Promise<Omit<RawResponse, 'body'>> {
  const client = new RawClient(url);
  client.send(bytes);
  const { status, headers } = await client.read(bytes.split(' ', 1)[0] ?? '');
  client.close();
  return { status, headers: { ...headers, date: ['now'] } };
}
