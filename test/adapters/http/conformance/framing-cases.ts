import { activeLicense, bearer, cancel, http, json, raw, verify } from '../../../support/http/requests.ts';
import { closes, refused, row, verification, type ConformanceCase } from './conformance-case.ts';

const malformed = refused(400, 'malformed_request', closes);
const malformedCheck = refused(400, 'malformed_request', { ...verification, ...closes });
const badHost = refused(400, 'invalid_host', closes);
const live = 'GET /livez';
const ok = { status: 200, shape: 'success' } as const;
const anyOrigin = { 'access-control-allow-origin': '*', 'access-control-expose-headers': /Error-Code/ };
const anyMethod = { allow: 'GET, HEAD, POST, DELETE, OPTIONS' };

/** The syntax of messages: request lines, fields, framing. */
export const framingCases: readonly ConformanceCase[] = [
  row('9112 §3.2: a request of HTTP/1.1 has a Host', raw(live, []), badHost),
  row('9112 §3.2: one Host only', raw(live, ['Host: a', 'Host: b']), badHost),
  row('9112 §3.2: one Host only, even twice the same', raw(live, ['Host: a', 'Host: a']), badHost),
  row('9112 §3.2: a Host with a space', raw(live, ['Host: a b']), badHost),
  row('9112 §3.2: a Host with a path', raw(live, ['Host: a/b']), badHost),
  row('9112 §3.2: a Host with user information', raw(live, ['Host: me@a']), badHost),
  row('9112 §3.2: a port that is no number', raw(live, ['Host: a:b']), badHost),
  row('9112 §3.2: an IPv6 Host', raw(live, ['Host: [::1]:80']), ok),
  row('9112 §3.2: an empty Host is allowed', raw(live, ['Host:']), ok),
  row('9112 §3.2: the Host is checked in the shape of the operation', raw('POST /api/licenses/verify', []), {
    ...badHost,
    ...verification,
  }),
  row('9110 §2.5: HTTP/1.0 needs no Host, and the connection ends', `${live} HTTP/1.0\r\n\r\n`, { ...ok, ...closes }),
  row('9112 §9.3: HTTP/1.0 may ask to stay', `${live} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`, ok),
  row('9112 §9.6: a client may ask to close', http(live, ['Connection: close']), { ...ok, ...closes }),
  row('9112 §2.2: an empty line before the request is passed over', `\r\n${http(live)}`, ok),
  row(
    '9110 §15.6.6: HTTP/2.0 on a request line',
    http(live).replace('1.1', '2.0'),
    refused(505, 'http_version_unsupported', closes),
  ),
  row('9110 §15.6.6: HTTP/9.9', http(live).replace('1.1', '9.9'), refused(505, 'http_version_unsupported', closes)),
  row('9112 §2.3: a malformed protocol name', http(live).replace('HTTP/1.1', 'HTTQ/1.1'), malformed),
  row('decisions: HTTP/1.2', http(live).replace('1.1', '1.2'), refused(505, 'http_version_unsupported', closes)),
  row('9112 §2.2: a bare LF after a request line', `${live} HTTP/1.1\nHost: a\n\n`, malformed),
  row('9112 §3: white space behind the version', http(live).replace('1.1', '1.1 '), malformed),
  row('9112 §2.3: a version of two digits', http(live).replace('1.1', '1.11'), malformed),
  row('9112 §2.3: a version of letters', http(live).replace('1.1', 'x.y'), malformed),
  row('9112 §3: a request line without a version', `${live}\r\n\r\n`, malformed),
  row('9112 §3: a request line without a version, and header lines', `${live}\r\nHost: a\r\n\r\n`, malformed),
  row('9112 §3: a request line that ends in a space', `${live} \r\n\r\n`, malformed),
  row('9110 §15.6.6: HTTP/3.0', http(live).replace('1.1', '3.0'), refused(505, 'http_version_unsupported', closes)),
  row('9113 §3.4: the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', malformed),
  row('9112 §3: bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', malformed),
  row('9112 §3.2: raw bytes of UTF-8 in a target', http('GET /liv\xc3\xa9z'), malformed),
  row('9112 §3.2: a fragment in a target', http('GET /livez#now'), malformed),
  row('9112 §3: two spaces in a request line may be read as one', http('GET  /livez'), ok),
  row('9110 §9.1: a method in lower case is unknown', http('get /livez'), malformed),
  row('9110 §9.1: an unknown method', http('BREW /livez'), malformed),
  row('9112 §5.1: white space before a colon', http(live, ['X-A : b']), malformed),
  row('9112 §5.2: obsolete line folding', http(live, ['X-A: b', '  c']), malformed),
  row('9112 §2.2: a bare CR', http(live, ['X-A: b\rc']), malformed),
  row('9112 §2.2: a bare LF', http(live, ['X-A: b\nX-B: c']), malformed),
  row('9110 §5.5: a NUL in a value', http(live, ['X-A: b\0c']), malformed),
  row('9112 §5: a header without a name', http(live, [': b']), malformed),
  row('9112 §5: a header without a colon', http(live, ['X-A']), malformed),
  row(
    '9112 §6.3: both framings',
    verify(activeLicense, [json, 'Content-Length: 5', 'Transfer-Encoding: chunked']),
    malformedCheck,
  ),
  row(
    '9112 §6.3: two different lengths',
    verify(activeLicense, [json, 'Content-Length: 5', 'Content-Length: 6']),
    malformedCheck,
  ),
  row(
    '9112 §6.3: two equal lengths',
    verify(activeLicense, [json, 'Content-Length: 5', 'Content-Length: 5']),
    malformedCheck,
  ),
  row('9112 §6.3: a list of lengths', verify(activeLicense, [json, 'Content-Length: 5, 5']), malformedCheck),
  row('9112 §6.3: a signed length', verify(activeLicense, [json, 'Content-Length: +5']), malformedCheck),
  row('9112 §6.3: a negative length', verify(activeLicense, [json, 'Content-Length: -5']), malformedCheck),
  row('9112 §6.3: a length in hexadecimal', verify(activeLicense, [json, 'Content-Length: 0x5']), malformedCheck),
  row(
    '9112 §6.3: a length beyond all numbers',
    verify(activeLicense, [json, `Content-Length: ${'9'.repeat(40)}`]),
    malformedCheck,
  ),
  row(
    '9112 §6.1: an unknown coding',
    verify('0\r\n\r\n', [json, 'Transfer-Encoding: gzip, chunked']),
    refused(501, 'transfer_encoding_unsupported', { ...verification, ...closes }),
  ),
  row('9112 §6.1: chunked twice', verify('0\r\n\r\n', [json, 'Transfer-Encoding: chunked, chunked']), malformedCheck),
  row(
    '9112 §6.1: chunked is not the last coding',
    verify(activeLicense, [json, 'Transfer-Encoding: chunked, gzip']),
    malformedCheck,
  ),
  row(
    '9112 §6.1: something like chunked',
    verify(activeLicense, [json, 'Transfer-Encoding: xchunked']),
    malformedCheck,
  ),
  row(
    '9112 §6.1: chunked in HTTP/1.0',
    verify('0\r\n\r\n', [json, 'Transfer-Encoding: chunked']).replace('1.1', '1.0'),
    malformedCheck,
  ),
  row('9112 §7.1: a malformed chunk size', verify('zz\r\n', [json, 'Transfer-Encoding: chunked']), malformedCheck),
  row(
    '9112 §7.1: a chunk that is longer than it says',
    verify('2\r\n{}x\r\n0\r\n\r\n', [json, 'Transfer-Encoding: chunked']),
    malformedCheck,
  ),
  row(
    '9112 §7.1: chunks that end in LF only',
    verify('2\n{}\n0\n\n', [json, 'Transfer-Encoding: chunked']),
    malformedCheck,
  ),
  row(
    '9112 §7.1.1: endless chunk extensions',
    verify(`2;${'x'.repeat(20_000)}\r\n`, [json, 'Transfer-Encoding: chunked']),
    refused(413, 'payload_too_large', { ...verification, ...closes }),
  ),
  row(
    'decisions, bodies: 256 chunks of one byte',
    verify(`${'1\r\n \r\n'.repeat(256)}0\r\n\r\n`, [json, 'Transfer-Encoding: chunked']),
    refused(400, 'body_too_fragmented', { ...verification, ...closes }),
  ),
  row(
    'decisions, bodies: 255 chunks of one byte',
    verify(`${'1\r\n \r\n'.repeat(253)}1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`, [json, 'Transfer-Encoding: chunked']),
    refused(400, 'malformed_license_key', verification),
  ),
  row(
    'decisions, bodies: 256 chunks of 64 bytes are refused for their size only',
    verify(`${`40\r\n${' '.repeat(64)}\r\n`.repeat(257)}0\r\n\r\n`, [json, 'Transfer-Encoding: chunked']),
    refused(413, 'payload_too_large', { ...verification, ...closes }),
  ),
  row(
    '9112 §7.1.2: trailers are read over',
    verify('2\r\n{}\r\n0\r\nX-A: b\r\n\r\n', [json, 'Transfer-Encoding: chunked']),
    refused(400, 'malformed_license_key', verification),
  ),
  row(
    '6585 §5: a header longer than 16 KiB',
    http(live, [`X-A: ${'a'.repeat(17_000)}`]),
    refused(431, 'headers_too_large', closes),
  ),
  row(
    '6585 §5: in the shape of the operation, for other origins too',
    verify(activeLicense, [`X-A: ${'a'.repeat(17_000)}`]),
    refused(431, 'headers_too_large', { ...verification, ...closes, headers: anyOrigin }),
  ),
  row(
    'decisions: what looks like a request line in a field is part of the field',
    verify(activeLicense, ['X-A: GET /livez HTTP/1.1', 'X-A : b']),
    malformedCheck,
  ),
  row(
    'decisions: other origins read what the parser gave up, too',
    http('GET /api/marketplace/listings', ['X-A : b']),
    refused(400, 'malformed_request', { ...closes, headers: anyOrigin }),
  ),
  row('9110 §9.3.2: no content for HEAD, even of what the parser gave up', http('HEAD /livez', ['X-A : b']), {
    ...malformed,
    shape: 'none',
    headers: { 'content-length': /^\d{3}$/, 'content-type': 'application/json' },
  }),
  row(
    'decisions: but not of an entitlement',
    cancel(['X-A : b']),
    refused(400, 'malformed_request', { ...closes, headers: { 'access-control-allow-origin': null } }),
  ),
  row(
    '6585 §5: 101 header lines',
    http(live, Array<string>(100).fill('X-A: b')),
    refused(431, 'headers_too_large', closes),
  ),
  row('6585 §5: 100 header lines', http(live, Array<string>(99).fill('X-A: b')), ok),
  row(
    '6585 §5: header lines beyond what Node keeps, the credential last',
    cancel().replace(bearer(), `${Array<string>(1500).fill('A: b').join('\r\n')}\r\n${bearer()}`),
    refused(431, 'headers_too_large', closes),
  ),
  row(
    '9110 §15.5.15: a target of 8,193 characters',
    http(`GET /${'a'.repeat(8192)}`),
    refused(414, 'uri_too_long', closes),
  ),
  row(
    '9110 §4.1: a target of 8,192 characters is looked up',
    http(`GET /${'a'.repeat(8191)}`),
    refused(404, 'not_found'),
  ),
  row(
    '9110 §10.1.1: an unknown expectation',
    http(live, ['Expect: coffee']),
    refused(417, 'expectation_failed', closes),
  ),
  row(
    '9110 §10.1.1: an unknown expectation of a license check',
    verify(activeLicense, [json, 'Expect: coffee']),
    refused(417, 'expectation_failed', { ...verification, ...closes }),
  ),
  row(
    '9110 §10.1.1: an unknown expectation beside a known one',
    verify(activeLicense, [json, 'Expect: 100-continue, coffee']),
    refused(417, 'expectation_failed', { ...verification, ...closes }),
  ),
  row(
    '9110 §10.1.1: a known expectation twice',
    verify(activeLicense, [json, 'Expect: 100-continue, 100-Continue']),
    ok,
  ),
  row('9110 §10.1.1: 100-continue is honoured', verify(activeLicense, [json, 'Expect: 100-continue']), ok),
  row('9110 §10.1.1: HTTP/1.0 has no expectations', `${live} HTTP/1.0\r\nExpect: coffee\r\n\r\n`, { ...ok, ...closes }),
  row(
    '9110 §10.1.1: a refusal comes instead of 100',
    http('POST /nowhere', ['Expect: 100-continue', 'Content-Length: 5']),
    refused(404, 'not_found', closes),
  ),
  row('9110 §7.8: an upgrade may be ignored', http(live, ['Connection: Upgrade', 'Upgrade: h2c']), ok),
  row(
    '9110 §7.8: an upgrade may be ignored, and the content belongs to the request',
    verify(activeLicense, [json, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk']),
    ok,
  ),
  row(
    '9110 §7.8: so does content in chunks',
    verify(`2\r\n{}\r\n0\r\n\r\n`, [json, 'Transfer-Encoding: chunked', 'Connection: Upgrade', 'Upgrade: h2c']),
    refused(400, 'malformed_license_key', verification),
  ),
  row('9110 §7.8: Upgrade is nothing without Connection: upgrade', http(live, ['Upgrade: h2c']), ok),
  row(
    '9110 §7.8: an upgrade beside an unknown expectation',
    http(live, ['Connection: Upgrade', 'Upgrade: h2c', 'Expect: coffee']),
    refused(417, 'expectation_failed', closes),
  ),
  row('9112 §3.2: an upgrade request has a Host, too', raw(live, ['Connection: Upgrade', 'Upgrade: h2c']), badHost),
  row(
    '9110 §7.8: a WebSocket is not offered',
    http(live, ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']),
    ok,
  ),
  row(
    '9110 §9.3.6: no tunnels',
    raw('CONNECT latchkey.test:443', ['Host: latchkey.test:443']),
    refused(405, 'method_not_allowed', { headers: anyMethod, ...closes }),
  ),
  row(
    '9110 §9.3.8: no TRACE',
    http('TRACE /livez'),
    refused(405, 'method_not_allowed', { headers: { allow: 'GET, HEAD, OPTIONS' } }),
  ),
];
