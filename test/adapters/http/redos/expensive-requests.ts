import { activeLicense, cancel, http, json, raw, verify } from '../../../support/http/requests.ts';

/** As much as fits into the header section, and into the content. */
const headerSize = 15_000;
const contentSize = 16_384;

const listings = 'GET /api/marketplace/listings';
const fill = (text: string, size = headerSize): string => text.repeat(Math.floor(size / text.length));

/** A license check with a header field of as many repetitions as fit. */
const withField = (name: string, text: string, end = ''): string =>
  verify(activeLicense, [json, `${name}: ${fill(text)}${end}`]);

/** A request that the parser rejects at its end. */
const broken = (line: string): string => `GET / HTTP/1.1\r\n${line}\x01`;

const post = (path: string, content: string): string => http(`POST ${path}`, [json], content);
const signUp = (email: string): string => post('/api/waitlist', `{"email":"${email}"}`);
const member = (name: string, value: string): string =>
  post('/api/waitlist', `{"email":"a@b.co","${name}":"${value}"}`);

/** One for each place where the service looks at bytes of a client, filled to its limit. */
export const expensiveRequests: readonly (readonly [what: string, bytes: string])[] = [
  ...[' ', '\t', 'a ', 'a\r'].map(
    (text) => [`a broken Origin of ${JSON.stringify(text)}`, broken(`Origin:${fill(text)}`)] as const,
  ),
  ['broken lines that look like request lines', broken(fill('GET a HTTP/1.1\r\n'))],
  ['a broken line of methods', broken(`X: ${fill('UNLOCK ')}`)],
  ['a broken line without an end', broken(`X: GET ${fill('a')}`)],
  ['empty lines before a broken one', http('GET /livez') + fill('\r\n\r\n') + broken('Origin:')],
  ...['127.0.0.1,', '::1,', '1,', ' ', ',', '[::1]:1,', '0:', 'f.', '127.0.0.1:1,'].map(
    (text) => [`X-Forwarded-For of ${JSON.stringify(text)}`, withField('X-Forwarded-For', text)] as const,
  ),
  ...['"a",', '""', 'W/', ' ', ',', '"', 'W/"a", '].flatMap((text) => [
    [`If-None-Match of ${JSON.stringify(text)}`, http(listings, [`If-None-Match: ${fill(text)}!`])] as const,
    [
      `If-Match of ${JSON.stringify(text)}`,
      cancel(['Idempotency-Key: expensive', `If-Match: ${fill(text)}!`]),
    ] as const,
  ]),
  ...['0', ' ', 'Sun, '].map(
    (text) =>
      [
        `If-Unmodified-Since of ${JSON.stringify(text)}`,
        cancel(['Idempotency-Key: expensive', `If-Unmodified-Since: ${fill(text)}`]),
      ] as const,
  ),
  ...[' ', '=', 'a', 'Bearer '].map(
    (text) =>
      [
        `a credential of ${JSON.stringify(text)}`,
        http('GET /api/app-entitlements/ent_1', [`Authorization: Bearer ${fill(text)}!`]),
      ] as const,
  ),
  ...['\\"', '"', ' ', '\\\\'].map(
    (text) => [`an idempotency key of ${JSON.stringify(text)}`, cancel([`Idempotency-Key: "${fill(text)}`])] as const,
  ),
  ...[';', ' ', ';charset="utf-8"', ';a=', '"'].map(
    (text) =>
      [
        `a media type of ${JSON.stringify(text)}`,
        verify(activeLicense, [`Content-Type: application/json;charset=${fill(text)}`]),
      ] as const,
  ),
  ['a Host of colons', raw('GET /livez', [`Host: ${fill(':')}`])],
  ['a Host of brackets', raw('GET /livez', [`Host: [${fill('1:')}`])],
  ['an edition', withField('API-Version', '2026-07-18,')],
  ['a correlation id', withField('X-Request-Id', 'a')],
  ['an expectation', verify(activeLicense, [json, `Expect: ${fill('100-continue,')}`])],
  ['a coding', withField('Content-Encoding', 'gzip,')],
  ['a trace', withField('traceparent', '01-')],
  ['an unknown path of hidden segments', http(`GET /${fill('@/', 8000)}`)],
  ['an unknown path of escaped characters', http(`GET /${fill('"', 8000)}`)],
  ['an upgrade', verify(activeLicense, [json, 'Connection: upgrade', `Upgrade: ${fill('h2c,')}`])],
  ['header lines', http('GET /livez', fill('A: b\n', 3000).trim().split('\n'))],
  ...['/', '/a', '/%41', '%', '/api/app-entitlements/', '../'].map(
    (text) => [`a target of ${JSON.stringify(text)}`, http(`GET /${fill(text, 8000)}`)] as const,
  ),
  ['a long identifier', http(`GET /api/app-entitlements/${fill('%41', 8000)}`)],
  ['a long slug', http(`GET /api/marketplace/listings/${fill('a', 8000)}`)],
  ...['a&', 'q=a&', 'limit=9&', '&', '%', '+'].map(
    (text) => [`a query of ${JSON.stringify(text)}`, http(`${listings}?${fill(text, 8000)}`)] as const,
  ),
  // A ligature that becomes 18 letters, a combining accent, and white space of every kind.
  ...['%EF%B7%BA', '%CC%81', '%E3%80%80', 'a+', '%C3%A9', '%F0%9F%98%80'].map(
    (text) => [`a search for ${text}`, http(`${listings}?q=${fill(text, 8000)}`)] as const,
  ),
  ['a limit', http(`${listings}?limit=${fill('9', 8000)}`)],
  ...['[', '{"a":', '1', '"', '\\u0000', ' ', '[0,0],'].map(
    (text) => [`content of ${JSON.stringify(text)}`, verify(fill(text, contentSize))] as const,
  ),
  ['content of many members', verify(`{${fill('"a":0,', contentSize - 100)}"a":0}`)],
  ['content of different members', verify(`{${manyMembers()}"a":0}`)],
  ['content of arrays', verify(`[${fill('[[[]]],', contentSize - 100)}0]`)],
  ['content of surrogates', verify(`{"licenseKey":"${fill('\\ud83d\\ude00', contentSize - 100)}"}`)],
  ['content in chunks of one byte', verify(chunksOf('{}'.padEnd(2700)), [json, 'Transfer-Encoding: chunked'])],
  ['a license key of hyphens', verify(`{"licenseKey":"${fill('-', 120)}"}`)],
  ...['a', 'a.', '@', 'a@', 'a@a-', 'a@a.', 'a@a-a.', '.', '%', '\\ud800'].map(
    (text) => [`an address of ${JSON.stringify(text)}`, signUp(fill(text, contentSize - 100))] as const,
  ),
  ...['a-', 'a.', '0.', 'a-.'].map(
    (text) => [`a domain of ${JSON.stringify(text)}`, signUp(`a@${fill(text, contentSize - 100)}!`)] as const,
  ),
  ['a long name', member('name', fill('a', contentSize - 100))],
  ['a handle of surrogates', member('handle', fill('\\ud800', contentSize - 100))],
];

function manyMembers(): string {
  return Array.from({ length: 1500 }, (_, index) => `"${index}":0,`).join('');
}

function chunksOf(content: string): string {
  return `${content.replaceAll(/[^]/g, '1\r\n$&\r\n')}0\r\n\r\n`;
}
