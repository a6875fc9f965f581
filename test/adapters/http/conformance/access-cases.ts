import { appKeys, licenseKeys } from '../../../support/http/fixtures.ts';
import { activeLicense, bearer, cancel, http, json, receipt, verify } from '../../../support/http/requests.ts';
import { refused, row, type ConformanceCase } from './conformance-case.ts';

const path = '/api/app-entitlements/ent_1';
const read = (...authorization: readonly string[]): string =>
  http(
    `GET ${path}`,
    authorization.map((value) => `Authorization: ${value}`),
  );
const metadata = 'resource_metadata="[^"]+/.well-known/oauth-protected-resource"';
const challenged = (error: string): ReturnType<typeof refused> =>
  refused(401, 'invalid_app_key', {
    headers: { 'www-authenticate': new RegExp(`^Bearer ${metadata}${error}$`), 'access-control-allow-origin': null },
  });
const none = challenged('');
const bad = challenged(', error="invalid_token"');
const ok = { status: 200, shape: 'success' } as const;
const privately = {
  ...ok,
  headers: { 'cache-control': 'private, no-cache', etag: /^W\/"[\w-]{22}"$/, 'access-control-allow-origin': null },
};
const missing = refused(400, 'idempotency_key_missing');
const invalid = refused(400, 'idempotency_key_invalid');
const key = (value: string): string => cancel([`Idempotency-Key: ${value}`]);
const feed = (query: string): string => http(`GET /api/app-events${query}`, [bearer()]);
const wellKnown = '/.well-known/oauth-protected-resource';
const anyOrigin = { 'access-control-allow-origin': '*', 'access-control-expose-headers': /Error-Code/ };

const unknownLicense = refused(404, 'license_not_found', {
  headers: { 'cache-control': 'no-store', etag: null, vary: null, ...anyOrigin },
});
const receiptOf = (licenseKey: string, productId?: string): string =>
  receipt(JSON.stringify({ licenseKey, ...(productId !== undefined && { productId }) }));

/** Receipts: licenses with and without one, bodies, credentials, cross-origin requests. */
const receiptCases: readonly ConformanceCase[] = [
  row('receipts: a license that gives access', receipt(), {
    ...ok,
    headers: { 'cache-control': 'no-store', etag: null, vary: null, ...anyOrigin },
    content: /^{"success":true,"data":{"receipt":"[\w-]+\.[\w-]+\.[\w-]{86}","issuedAt":"2026-07-18T12:00:00.000Z",/,
  }),
  row('receipts: of its product', receiptOf(licenseKeys.active, 'prod_1'), ok),
  row('receipts: an unknown key', receiptOf('a-license-key-of-nobody-at-all'), unknownLicense),
  row('receipts: a revoked key', receiptOf(licenseKeys.revoked), unknownLicense),
  row("receipts: another product's key", receiptOf(licenseKeys.active, 'prod_2'), unknownLicense),
  row('receipts: the key of no product', receiptOf(licenseKeys.active, ''), unknownLicense),
  row(
    'receipts: a license that gives no access',
    receiptOf(licenseKeys.ended),
    refused(409, 'no_access', { headers: anyOrigin }),
  ),
  row('receipts: the product before the access', receiptOf(licenseKeys.ended, 'prod_2'), unknownLicense),
  row('receipts: a key of 23 characters', receiptOf('k'.repeat(23)), refused(400, 'malformed_license_key')),
  row('receipts: a product that is null', receipt(`{"licenseKey":"${licenseKeys.active}","productId":null}`), ok),
  row('8259 §2: a body that is not JSON', receipt('licenseKey'), refused(400, 'invalid_body')),
  row('9110 §8.3: a receipt by a form', receipt(activeLicense, ['Content-Type: application/x-www-form-urlencoded']), {
    ...refused(415, 'unsupported_media_type', { headers: { accept: 'application/json' } }),
  }),
  row('5.1: receipts ignore a bad credential', receipt(activeLicense, [json, 'Authorization: Bearer nonsense']), ok),
  row('9110 §13.1.2: a condition on a receipt is ignored', receipt(activeLicense, [json, 'If-None-Match: *']), ok),
  row('9110 §15.5.6: receipts cannot be read', http('GET /api/licenses/receipt'), {
    ...refused(405, 'method_not_allowed', { headers: { allow: 'POST, OPTIONS' } }),
  }),
  row(
    'Fetch: a preflight of a receipt',
    http('OPTIONS /api/licenses/receipt', ['Origin: https://shop.test', 'Access-Control-Request-Method: POST']),
    { status: 204, shape: 'none', headers: { 'access-control-allow-methods': 'POST, OPTIONS' } },
  ),
  row('9110 §13.1.2: the keys of receipts have not changed', http('GET /.well-known/jwks.json', ['If-None-Match: *']), {
    status: 304,
    shape: 'none',
    headers: {
      etag: /^W\/"[\w-]{22}"$/,
      'cache-control': 'public, max-age=3600',
      vary: 'API-Version',
      'content-type': null,
      ...anyOrigin,
    },
  }),
];

/** Credentials, scopes, idempotency keys, validators, cross-origin requests. */
export const accessCases: readonly ConformanceCase[] = [
  ...receiptCases,
  row('4.5: a good key', read(`Bearer ${appKeys.full}`), privately),
  row('9110 §11.1: schemes are case-insensitive', read(`bEARER ${appKeys.full}`), privately),
  row('6750 §2.1: several spaces', read(`Bearer   ${appKeys.full}`), privately),
  row('6750 §3.1: no credential, no error', read(), none),
  row('6750 §3.1: another scheme, no error', read('Basic YTpi'), none),
  row('6750 §3.1: two credentials of another scheme, no error', read('Basic YTpi', 'Basic YTpi'), none),
  row('6750 §3: a Bearer credential behind one of another scheme', read('Basic YTpi', `Bearer ${appKeys.full}`), bad),
  row('6750 §3: a key of nobody', read('Bearer svc_sk_live_nobody-has-this-key'), bad),
  row('6750 §3: without the prefix', read('Bearer something-else'), bad),
  row('6750 §3: an expired key', read(`Bearer ${appKeys.expired}`), bad),
  row('6750 §3: a revoked key', read(`Bearer ${appKeys.revoked}`), bad),
  row('6750 §2.1: a key without a scheme', read(appKeys.full), none),
  row('6750 §2.1: something behind the key', read(`Bearer ${appKeys.full} x`), bad),
  row('6750 §2.1: a key in quotes', read(`Bearer "${appKeys.full}"`), bad),
  row('6750 §3: a key in another case', read(`Bearer ${appKeys.full.toUpperCase()}`), bad),
  row('6750 §2.1: characters of no token', read('Bearer svc_sk_live_<script>'), bad),
  row('decisions: a key of 300 characters', read(`Bearer svc_sk_live_${'a'.repeat(300)}`), bad),
  row(
    'decisions: two credentials count as no credential',
    read(`Bearer ${appKeys.full}`, `Bearer ${appKeys.full}`),
    bad,
  ),
  row('6750 §2.3: no key in the query', http(`GET ${path}?access_token=${appKeys.full}`), none),
  row(
    '5.1: a public operation ignores a bad credential',
    verify(activeLicense, [json, 'Authorization: Bearer nonsense']),
    ok,
  ),
  row(
    '6750 §3.1: a key without the scope',
    http(`POST ${path}/cancel`, [`Authorization: Bearer ${appKeys.readOnly}`]),
    refused(403, 'insufficient_scope', {
      headers: { 'www-authenticate': /error="insufficient_scope", scope="write:entitlements"$/ },
    }),
  ),
  row(
    "9110 §15.5.5: another product's entitlement is unknown",
    read(`Bearer ${appKeys.otherProduct}`),
    refused(404, 'entitlement_not_found'),
  ),
  row('decisions: the feed of events', feed(''), {
    ...ok,
    headers: { 'cache-control': 'private, no-store', etag: null, 'access-control-allow-origin': null },
  }),
  row('decisions: a limit of the feed out of bounds', feed('?limit=-1'), ok),
  row('decisions: a cursor that the feed never gave', feed('?after=nonsense'), refused(400, 'invalid_cursor')),
  row('decisions: a cursor of another log', feed('?after=9-abcdefgh'), refused(410, 'cursor_unknown')),
  row('decisions: the credential before the cursor', http('GET /api/app-events?after=nonsense'), none),
  row('decisions: the credential before the idempotency key', http(`POST ${path}/cancel`), none),
  row('4.6: no idempotency key', cancel(), missing),
  row(
    'decisions: the idempotency key before the entitlement',
    http('POST /api/app-entitlements/nowhere/cancel', [bearer()]),
    missing,
  ),
  row('4.6: an empty idempotency key', key(''), missing),
  row('4.6: 7 characters', key('1234567'), invalid),
  row('4.6: 201 characters', key('k'.repeat(201)), invalid),
  row('decisions: bytes beyond ASCII', key('caf\xe9caf\xe9'), invalid),
  row('decisions: a quote that does not close', key('"key-quoted'), invalid),
  row('decisions: two idempotency keys', cancel(['Idempotency-Key: key-twice', 'Idempotency-Key: key-twice']), invalid),
  row('4.6: 8 characters', key('key-0008'), {
    ...ok,
    headers: { 'idempotent-replayed': null, 'cache-control': 'no-store' },
  }),
  row('decisions: the same key again', key('key-0008'), {
    ...ok,
    headers: { 'idempotent-replayed': 'true', 'cache-control': 'no-store' },
  }),
  row('9651 §3.3.3: the same key in quotes', key('"key-0008"'), { ...ok, headers: { 'idempotent-replayed': 'true' } }),
  row(
    'decisions: the same key for another operation',
    http(`POST ${path}/resume`, [bearer(), 'Idempotency-Key: key-0008']),
    refused(422, 'idempotency_key_reused'),
  ),
  row(
    'decisions: an ended entitlement',
    http('POST /api/app-entitlements/ent_ended/cancel', [bearer(), 'Idempotency-Key: key-ended']),
    refused(409, 'entitlement_ended'),
  ),
  row(
    'decisions: a purchase',
    http('POST /api/app-entitlements/ent_once/resume', [bearer(), 'Idempotency-Key: key-once']),
    refused(409, 'not_a_subscription'),
  ),
  row(
    '9110 §13.1.2: a condition that is not met',
    http(`POST ${path}/resume`, [bearer(), 'Idempotency-Key: key-if-none', 'If-None-Match: *']),
    refused(412, 'precondition_failed'),
  ),
  row(
    '9110 §13.1.1: a weak tag never matches strongly',
    http(`POST ${path}/resume`, [bearer(), 'Idempotency-Key: key-if-match', 'If-Match: W/"a"']),
    refused(412, 'precondition_failed'),
  ),
  row('decisions: GET has no idempotency', http(`GET ${path}`, [bearer(), 'Idempotency-Key: x']), privately),
  row('9728 §3: the metadata', http(`GET ${wellKnown}`), {
    status: 200,
    shape: 'success',
    headers: { 'cache-control': 'public, max-age=3600', etag: /^W\/"/, vary: 'API-Version', ...anyOrigin },
  }),
  row('9110 §13.1.2: any validator', http(`GET ${wellKnown}`, ['If-None-Match: *']), {
    status: 304,
    shape: 'none',
    headers: { etag: /^W\/"/, 'cache-control': 'public, max-age=3600', vary: 'API-Version', 'content-type': null },
  }),
  row('9110 §13.1.2: another validator', http(`GET ${wellKnown}`, ['If-None-Match: "a", W/"b"']), ok),
  row('9110 §13.1.2: a malformed validator', http(`GET ${wellKnown}`, ['If-None-Match: nonsense']), ok),
  row(
    '9110 §13.2.1: a condition does not hide an error',
    http('GET /api/app-entitlements/nowhere', [bearer(), 'If-None-Match: *']),
    refused(404, 'entitlement_not_found', { headers: { 'cache-control': 'no-store' } }),
  ),
  row('9110 §13.1.2: a condition on a POST is ignored', verify(activeLicense, [json, 'If-None-Match: *']), ok),
  row(
    'decisions: any origin may check licenses by default',
    verify(activeLicense, [json, 'Origin: https://shop.test']),
    {
      ...ok,
      headers: anyOrigin,
    },
  ),
  row(
    'decisions: errors are for other origins too',
    verify('{}', [json, 'Origin: https://shop.test']),
    refused(400, 'malformed_license_key', { shape: 'verification', headers: anyOrigin }),
  ),
  row(
    'Fetch: a preflight of a public operation',
    http('OPTIONS /api/licenses/verify', ['Origin: https://shop.test', 'Access-Control-Request-Method: POST']),
    {
      status: 204,
      shape: 'none',
      headers: {
        'access-control-allow-methods': 'POST, OPTIONS',
        'access-control-allow-headers': '*',
        'access-control-max-age': '600',
      },
    },
  ),
  row(
    'Fetch: no preflight of an entitlement',
    http(`OPTIONS ${path}`, ['Origin: https://shop.test', 'Access-Control-Request-Method: GET']),
    {
      status: 204,
      shape: 'none',
      headers: { 'access-control-allow-origin': null, 'access-control-allow-methods': null },
    },
  ),
];
