import { expect } from 'chai';
import { RawClient } from '../../../support/http/raw-client.ts';
import { activeLicense, cancel, http, json, verify } from '../../../support/http/requests.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';

const shop = 'https://shop.test';
const corsOrigins = [shop, 'https://other.test'];
const from = (origin: string): string => `Origin: ${origin}`;
const folded = 'X-Folded: a\r\n b';

type Fields = readonly [status: number, allowed: string | undefined, vary: string | undefined];

const answers: readonly (readonly [what: string, bytes: string, fields: Fields])[] = [
  ['a page that is named', verify(activeLicense, [json, from(shop)]), [200, shop, 'Origin']],
  ['one that is not', verify(activeLicense, [json, from('https://shop.test.evil')]), [200, undefined, 'Origin']],
  ['a page without an origin', verify(activeLicense, [json, from('null')]), [200, undefined, 'Origin']],
  ['no page', verify(), [200, undefined, 'Origin']],
  ['a page that is named, of an error', verify('{', [json, from(shop)]), [400, shop, 'Origin']],
  [
    'a page that is named, of another expectation',
    verify(activeLicense, [json, from(shop), 'Expect: coffee']),
    [417, shop, 'Origin'],
  ],
  [
    'a page that is named, of an unknown edition',
    verify(activeLicense, [json, from(shop), 'API-Version: 2020-01-01']),
    [400, shop, 'Origin'],
  ],
  [
    'a page that is not, of the same',
    verify(activeLicense, [json, from('https://a.test'), 'API-Version: 1']),
    [400, undefined, 'Origin'],
  ],
  [
    'a page that is named, of what the parser gave up',
    verify(activeLicense, [from(shop), folded]),
    [400, shop, 'Origin'],
  ],
  [
    'a page that is not, of what the parser gave up',
    verify(activeLicense, [from('https://a.test'), folded]),
    [400, undefined, 'Origin'],
  ],
  [
    'a page with two origins, of the same',
    verify(activeLicense, [from(shop), from(shop), folded]),
    [400, undefined, 'Origin'],
  ],
  [
    'a page that is named, of a header that is too long',
    verify(activeLicense, [from(shop), `X-A: ${'a'.repeat(17_000)}`]),
    [431, shop, 'Origin'],
  ],
  [
    'a page that is named, of a form that names it in its content only',
    verify(`a\r\nOrigin: ${shop}\r\n`, [json, 'Content-Length: 5', 'Content-Length: 6']),
    [400, undefined, 'Origin'],
  ],
  ['every page that reads', http('GET /api/marketplace/listings', [from('https://a.test')]), [200, '*', 'API-Version']],
  [
    'every page that reads what the parser gave up',
    http('GET /api/marketplace/listings', [folded]),
    [400, '*', undefined],
  ],
  ['no page of an entitlement', cancel([from(shop)]), [400, undefined, undefined]],
  ['no page of an entitlement that the parser gave up', cancel([from(shop), folded]), [400, undefined, undefined]],
];

describe('a service that names the origins that may post', () => {
  const start = populatedServices();
  for (const [what, bytes, fields] of answers) {
    it(`answers to ${what}`, async () => {
      const { url } = await start({ corsOrigins });
      const client = new RawClient(url);
      client.send(bytes);
      const { status, headers } = await client.read('GET');
      client.close();
      const [allowed] = headers['access-control-allow-origin'] ?? [];
      expect([status, allowed, headers['vary']?.join(', ')]).to.deep.equal(fields);
      const exposes = headers['access-control-expose-headers'] !== undefined;
      expect(exposes).to.equal(!what.startsWith('no page of an entitlement'));
    });
  }

  it('answers alike above the rate limit', async () => {
    const { url } = await start({ corsOrigins, rateLimits: { verifyLicense: 1 } });
    const client = new RawClient(url);
    const given: unknown[] = [];
    for (const origin of [shop, shop, 'https://a.test']) {
      client.send(verify(activeLicense, [json, from(origin)]));
      const { status, headers } = await client.read('POST');
      given.push([status, headers['access-control-allow-origin']?.[0], headers['vary']]);
    }
    client.close();
    expect(given).to.deep.equal([
      [200, shop, ['Origin']],
      [429, shop, ['Origin']],
      [429, undefined, ['Origin']],
    ]);
  });

  for (const [method, origin, allowed, vary] of [
    ['POST', shop, shop, 'Origin'],
    ['POST', 'https://a.test', undefined, 'Origin'],
    ['GET', 'https://a.test', '*', undefined],
  ] as const) {
    it(`answers a preflight of ${method} from ${origin}`, async () => {
      const { url } = await start({ corsOrigins });
      const client = new RawClient(url);
      const asked = [from(origin), `Access-Control-Request-Method: ${method}`];
      client.send(http('OPTIONS /api/licenses/verify', asked));
      const { status, headers } = await client.read('OPTIONS');
      client.close();
      const fields = [headers['access-control-allow-origin']?.[0], headers['vary']?.[0]];
      expect([status, ...fields]).to.deep.equal([204, allowed, vary]);
    });
  }
});
