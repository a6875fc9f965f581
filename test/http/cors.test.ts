import { expect } from 'chai';
import { edgeOfEachTest } from '../support/edge-service.ts';
import { RawClient } from '../support/raw-client.ts';
import { cancel, http, json, known, verify } from './corpus.ts';

const shop = 'https://shop.test';
const corsOrigins = [shop, 'https://other.test'];
const from = (origin: string): string => `Origin: ${origin}`;
const folded = 'X-Folded: a\r\n b';

type Fields = readonly [status: number, allowed: string | undefined, vary: string | undefined];

const answers: readonly (readonly [what: string, bytes: string, fields: Fields])[] = [
  ['a page that is named', verify(known, [json, from(shop)]), [200, shop, 'Origin']],
  ['one that is not', verify(known, [json, from('https://shop.test.evil')]), [200, undefined, 'Origin']],
  ['a page without an origin', verify(known, [json, from('null')]), [200, undefined, 'Origin']],
  ['no page', verify(), [200, undefined, 'Origin']],
  ['a page that is named, of an error', verify('{', [json, from(shop)]), [400, shop, 'Origin']],
  ['a page that is named, of what the parser gave up', verify(known, [from(shop), folded]), [400, shop, 'Origin']],
  ['a page that is not, of the same', verify(known, [from('https://a.test'), folded]), [400, undefined, 'Origin']],
  ['a page with two origins, of the same', verify(known, [from(shop), from(shop), folded]), [400, undefined, 'Origin']],
  [
    'a page that is named, of a header that is too long',
    verify(known, [from(shop), `X-A: ${'a'.repeat(17_000)}`]),
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
  const start = edgeOfEachTest();
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

  for (const [method, origin, allowed] of [
    ['POST', shop, shop],
    ['POST', 'https://a.test', undefined],
    ['GET', 'https://a.test', '*'],
  ] as const) {
    it(`answers a preflight of ${method} from ${origin}`, async () => {
      const { url } = await start({ corsOrigins });
      const client = new RawClient(url);
      const asked = [from(origin), `Access-Control-Request-Method: ${method}`];
      client.send(http('OPTIONS /api/licenses/verify', asked));
      const { status, headers } = await client.read('OPTIONS');
      client.close();
      expect([status, headers['access-control-allow-origin']?.[0]]).to.deep.equal([204, allowed]);
    });
  }
});
