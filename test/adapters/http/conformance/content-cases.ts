import { activeLicense, cancel, http, json, verify } from '../../../support/http/requests.ts';
import { closes, refused, row, verification, type ConformanceCase } from './conformance-case.ts';

const badKey = refused(400, 'malformed_license_key', verification);
const badBody = refused(400, 'invalid_body', verification);
const badType = refused(415, 'unsupported_media_type', { ...verification, headers: { accept: 'application/json' } });
const badCoding = refused(415, 'unsupported_content_coding', {
  ...verification,
  headers: { 'accept-encoding': 'identity' },
});
const tooLarge = refused(413, 'payload_too_large', { ...verification, ...closes });
const ok = { status: 200, shape: 'success', headers: { 'cache-control': 'no-store' } } as const;
const typed = (type: string): string => verify(activeLicense, [`Content-Type: ${type}`]);
const keyOf = (licenseKey: unknown): string => verify(JSON.stringify({ licenseKey }));
const padded = (size: number): string => `{"licenseKey":"${'k'.repeat(30)}","a":"${'a'.repeat(size - 54)}"}`;
const nested = (levels: number): string =>
  `{"licenseKey":"${'k'.repeat(30)}","a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const chunked = [json, 'Transfer-Encoding: chunked'];
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Media types, codings, lengths, JSON, and the members of a license check. */
export const contentCases: readonly ConformanceCase[] = [
  row('4.4: a known license', verify(), ok),
  row('9110 §8.3: types are case-insensitive, with parameters', typed('Application/JSON; Charset="UTF-8"'), ok),
  row('9110 §8.3: another charset', typed('application/json; charset=latin1'), badType),
  row('9110 §8.3: text', typed('text/plain'), badType),
  row('9110 §8.3: a form', typed('application/x-www-form-urlencoded'), badType),
  row('9110 §8.3: something like JSON', typed('application/jsonp'), badType),
  row('9110 §8.3: no type', verify(activeLicense, []), badType),
  row('decisions: no type and no content', verify('', []), badType),
  row('decisions: two types', verify(activeLicense, [json, json]), badType),
  row('9110 §8.4: a coding', verify(activeLicense, [json, 'Content-Encoding: gzip']), badCoding),
  row('9110 §8.4: no coding by its name', verify(activeLicense, [json, 'Content-Encoding: identity']), ok),
  row('decisions: a type and no content', verify('', [json]), badBody),
  row(
    '9112 §7.1: content in chunks',
    verify(`${chunk(activeLicense.slice(0, 9))}${chunk(activeLicense.slice(9))}0\r\n\r\n`, chunked),
    ok,
  ),
  row('decisions: 16 KiB', verify(padded(16_384)), { status: 200, shape: 'success' }),
  row('decisions: a byte more', verify(padded(16_385)), tooLarge),
  row(
    '9110 §15.5.14: a length that is too much, and no content yet',
    verify('', [json, 'Content-Length: 3000000']),
    tooLarge,
  ),
  row('9110 §15.5.14: chunks that are too much', verify(chunk('a'.repeat(8192)).repeat(3), chunked), tooLarge),
  row(
    '9110 §15.5.14: too much for a path that does not exist',
    http('POST /nowhere', [], 'a'.repeat(20_000)),
    refused(413, 'payload_too_large', closes),
  ),
  row(
    '9110 §15.5.14: too much where content is ignored',
    cancel(['Idempotency-Key: key-413'], 'a'.repeat(20_000)),
    refused(413, 'payload_too_large', closes),
  ),
  row('8259 §2: not JSON', verify('{'), badBody),
  row('8259 §2: two values', verify('{}{}'), badBody),
  row('8259 §8.1: a byte-order mark', verify(`\xef\xbb\xbf${activeLicense}`), badBody),
  row('8259 §8.1: bytes that are no UTF-8', verify('{"licenseKey":"\xff\xfe"}'), badBody),
  row('8259 §8.1: a surrogate in UTF-8', verify('{"licenseKey":"\xed\xa0\x80"}'), badBody),
  row('8259 §8.1: UTF-16', verify('\xff\xfe{\x00}\x00'), badBody),
  row('decisions: 32 levels', verify(nested(31)), { status: 200, shape: 'success' }),
  row('decisions: 33 levels', verify(nested(32)), badBody),
  row('decisions: 8,000 levels', verify('['.repeat(8000) + ']'.repeat(8000)), badBody),
  row('8259 §9: an endless number', verify('1'.repeat(16_000)), badKey),
  row('decisions: an array is no object', verify('[]'), badKey),
  row('decisions: null is no object', verify('null'), badKey),
  row('decisions: a text is no object', verify('"licenseKey"'), badKey),
  row('4.4: no license key', verify('{}'), badKey),
  row('4.4: a key that is no text', keyOf(123_456_789_012_345_678_901_234n.toString().length), badKey),
  row('4.4: a key that is null', keyOf(null), badKey),
  row('4.4: a key of 23 characters', keyOf('k'.repeat(23)), badKey),
  row('4.4: a key of 24 characters', keyOf('k'.repeat(24)), ok),
  row('4.4: a key of 120 characters', keyOf('k'.repeat(120)), ok),
  row('4.4: a key of 121 characters', keyOf('k'.repeat(121)), badKey),
  row('4.4: 24 characters outside of the basic plane', verify(`{"licenseKey":"${'\\ud83d\\ude00'.repeat(24)}"}`), ok),
  row('4.4: 12 of them are 12', verify(`{"licenseKey":"${'\\ud83d\\ude00'.repeat(12)}"}`), badKey),
  row('4.4: a product that is no text', verify(`{"licenseKey":"${'k'.repeat(30)}","productId":1}`), badKey),
  row('decisions: a product that is null', verify(`{"licenseKey":"${'k'.repeat(30)}","productId":null}`), ok),
  row('decisions: an empty product matches nothing', verify(`{"licenseKey":"${'k'.repeat(30)}","productId":""}`), ok),
  row('decisions: unknown members are ignored', verify(`{"licenseKey":"${'k'.repeat(30)}","x":[{}]}`), ok),
  row('8259 §4: of two members the last counts', verify(`{"licenseKey":1,"licenseKey":"${'k'.repeat(30)}"}`), ok),
  row(
    'prototype poisoning: __proto__ brings no members',
    verify(`{"__proto__":{"licenseKey":"${'k'.repeat(30)}"}}`),
    badKey,
  ),
  row(
    'prototype poisoning: nor does constructor',
    verify(`{"constructor":{"prototype":{"licenseKey":"${'k'.repeat(30)}"}}}`),
    badKey,
  ),
  row('decisions: content of a cancellation is ignored', cancel(['Idempotency-Key: key-ignored'], '{"not json'), {
    status: 200,
    shape: 'success',
  }),
  row('decisions: of whatever type', cancel(['Idempotency-Key: key-ignored', 'Content-Type: text/plain'], 'x'), {
    status: 200,
    shape: 'success',
    headers: { 'idempotent-replayed': 'true' },
  }),
];
