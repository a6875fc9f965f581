import { activeLicense, bearer, http, raw, verify } from '../../../support/http/requests.ts';
import { closes, refused, row, verification, type ConformanceCase } from './conformance-case.ts';

const unknown = refused(404, 'not_found');
const noEntitlement = refused(404, 'entitlement_not_found');
const entitlement = (id: string): string => http(`GET /api/app-entitlements/${id}`, [bearer()]);
const allowing = (allow: string): ReturnType<typeof refused> =>
  refused(405, 'method_not_allowed', { headers: { allow } });
const ok = { status: 200, shape: 'success' } as const;
const empty = (allow: string): { status: number; shape: 'none'; headers: Record<string, string | null> } => ({
  status: 204,
  shape: 'none',
  headers: { allow, 'content-length': null, 'content-type': null },
});
const oldDate = 'API-Version: 2025-01-01';
const unsupported = refused(400, 'unsupported_api_version');

/** Paths, methods, HEAD, OPTIONS, targets and editions. */
export const routingCases: readonly ConformanceCase[] = [
  row('9110 §15.5.5: an unknown path', http('GET /nowhere'), unknown),
  row('decisions: the root says what runs here', http('GET /'), { ...ok, content: /^{"name":"Latchkey",/ }),
  row('9110 §15.5.5: an unknown path before an unknown method of it', http('DELETE /nowhere'), unknown),
  row('raw-path routing: a trailing slash is another path', http('GET /livez/'), unknown),
  row('raw-path routing: paths are case-sensitive', http('GET /Livez'), unknown),
  row('raw-path routing: a double slash is no host', http('GET //livez'), unknown),
  row('raw-path routing: no dot segments', http('GET /api/../livez'), unknown),
  row('raw-path routing: no encoded dot segments', http('GET /api/%2e%2e/livez'), unknown),
  row('raw-path routing: %2F makes no segment', entitlement('ent_1%2Fcancel'), noEntitlement),
  row('raw-path routing: a segment is decoded', entitlement('ent%5F1'), ok),
  row('raw-path routing: a segment is decoded once', entitlement('ent%255F1'), noEntitlement),
  row('raw-path routing: a semicolon is part of a segment', entitlement('ent_1;v=1'), noEntitlement),
  row('raw-path routing: a malformed escape', entitlement('%zz'), unknown),
  row('raw-path routing: an overlong form of UTF-8', entitlement('%c0%ae'), unknown),
  row('raw-path routing: an encoded NUL', entitlement('%00'), noEntitlement),
  row('raw-path routing: an escape without digits', http('GET /%'), unknown),
  row('raw-path routing: an empty segment', entitlement(''), unknown),
  row('raw-path routing: an identifier of 129 characters', entitlement('a'.repeat(129)), noEntitlement),
  row('raw-path routing: a name of Object.prototype', entitlement('__proto__'), noEntitlement),
  row('9112 §3.2.2: an absolute target', http('GET http://elsewhere.test/livez'), ok),
  row('9112 §3.2.2: an absolute target with a query', http('GET HTTP://elsewhere.test:81/livez?a=/b'), ok),
  row('9112 §3.2.2: an absolute target without a path is the root', http('GET http://elsewhere.test'), ok),
  row('9112 §3.2.2: nor has one with a query', http('GET http://elsewhere.test?a=b'), ok),
  row(
    '9112 §3.2.2: an absolute target still needs a Host',
    raw('GET http://elsewhere.test/livez', []),
    refused(400, 'invalid_host', closes),
  ),
  row('9112 §3.2.4: the asterisk is for OPTIONS only', http('GET *'), unknown),
  row('9112 §3.2.4: the asterisk does not begin a path', http('GET *livez'), unknown),
  row('9110 §9.3.7: OPTIONS of the service', http('OPTIONS *'), empty('GET, HEAD, POST, DELETE, OPTIONS')),
  row('9110 §9.3.7: OPTIONS of a path', http('OPTIONS /livez'), empty('GET, HEAD, OPTIONS')),
  row(
    '9110 §9.3.7: OPTIONS needs no credential',
    http('OPTIONS /api/app-entitlements/ent_1'),
    empty('GET, HEAD, OPTIONS'),
  ),
  row('9110 §9.3.7: OPTIONS of an unknown path', http('OPTIONS /nowhere'), unknown),
  row(
    '9110 §15.5.6: GET on a license check, in the standard shape',
    http('GET /api/licenses/verify'),
    allowing('POST, OPTIONS'),
  ),
  row('9110 §15.5.6: HEAD where there is no GET', http('HEAD /api/licenses/verify'), {
    ...allowing('POST, OPTIONS'),
    shape: 'none',
  }),
  row('9110 §15.5.6: PUT', http('PUT /livez', [], 'x'), allowing('GET, HEAD, OPTIONS')),
  row(
    '9110 §15.5.6: PATCH before the credential',
    http('PATCH /api/app-entitlements/ent_1/cancel'),
    allowing('POST, OPTIONS'),
  ),
  row(
    '9110 §15.5.6: a method of WebDAV that the parser knows',
    http('PROPFIND /livez'),
    allowing('GET, HEAD, OPTIONS'),
  ),
  row('9110 §9.3.2: HEAD has the length of GET', http('HEAD /livez'), {
    status: 200,
    shape: 'none',
    headers: { 'content-length': /^\d{2}$/ },
  }),
  row('9110 §9.3.2: HEAD of what does not exist', http('HEAD /nowhere'), { ...unknown, shape: 'none' }),
  row('9110 §9.3.2: HEAD without a credential', http('HEAD /api/app-entitlements/ent_1'), {
    ...refused(401, 'invalid_app_key', { headers: { 'www-authenticate': /^Bearer / } }),
    shape: 'none',
  }),
  row('9110 §9.3.1: content of a GET is read over', http('GET /livez', [], '{"a":1}'), ok),
  row('specification 9.2: the current date', http('GET /livez', ['API-Version: 2026-07-18']), ok),
  row('specification 9.2: white space around the date', http('GET /livez', ['API-Version:   2026-07-18  ']), ok),
  row('decisions: an unknown date', http('GET /livez', [oldDate]), unsupported),
  row('decisions: an unknown date of OPTIONS', http('OPTIONS /livez', [oldDate]), unsupported),
  row('decisions: an empty date', http('GET /livez', ['API-Version:']), unsupported),
  row(
    'decisions: a date on two lines',
    http('GET /livez', Array<string>(2).fill('API-Version: 2026-07-18')),
    unsupported,
  ),
  row(
    'decisions: a name of Object.prototype is no date',
    http('GET /livez', ['API-Version: constructor']),
    unsupported,
  ),
  row('decisions: the date before the credential', http('GET /api/app-entitlements/ent_1', [oldDate]), unsupported),
  row('decisions: the date before the body, in the shape of the operation', verify(activeLicense, [oldDate]), {
    ...unsupported,
    ...verification,
  }),
  row('decisions: the path before the date', http('GET /nowhere', [oldDate]), unknown),
  row('decisions: the method before the date', http('PUT /livez', [oldDate]), allowing('GET, HEAD, OPTIONS')),
  row('decisions: a correlation id is kept', http('GET /livez', ['X-Request-Id: mine-0123']), {
    ...ok,
    headers: { 'x-request-id': 'mine-0123' },
  }),
  row('decisions: a short correlation id is not', http('GET /livez', ['X-Request-Id: mine']), {
    ...ok,
    headers: { 'x-request-id': /^[0-9a-f-]{36}$/ },
  }),
  ...['a'.repeat(129), 'with a space', 'kl\xe4ger-0001'].map((id) =>
    row(`decisions: nor is ${id.slice(0, 20)}`, http('GET /livez', [`X-Request-Id: ${id}`]), {
      ...ok,
      headers: { 'x-request-id': /^[0-9a-f-]{36}$/ },
    }),
  ),
  row(
    'decisions: two correlation ids count as no id',
    http('GET /livez', Array<string>(2).fill('X-Request-Id: mine-0123')),
    {
      ...ok,
      headers: { 'x-request-id': /^[0-9a-f-]{36}$/ },
    },
  ),
  row(
    'decisions: a correlation id cannot write headers',
    http('GET /livez', ['X-Request-Id: mine-0123\x85Set-Cookie: a=b']),
    { ...ok, headers: { 'x-request-id': /^[0-9a-f-]{36}$/ } },
  ),
  row(
    'decisions: 417 keeps the correlation id',
    http('GET /livez', ['Expect: tea', 'X-Request-Id: mine-0123']),
    refused(417, 'expectation_failed', { ...closes, headers: { 'x-request-id': 'mine-0123' } }),
  ),
  row(
    'decisions: 405 of CONNECT keeps the correlation id',
    raw('CONNECT a:1', ['Host: a:1', 'X-Request-Id: mine-0123']),
    refused(405, 'method_not_allowed', { ...closes, headers: { 'x-request-id': 'mine-0123' } }),
  ),
];
