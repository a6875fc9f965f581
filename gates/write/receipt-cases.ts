import { createHmac } from 'node:crypto';
import type { Members, ReceiptCase } from '../../testing/gates/cases.ts';
import { accepted, refused } from './gate-stories.ts';
import { base64url, digestOf } from './signer.ts';
import {
  active,
  at,
  claims,
  day,
  device,
  deviceName,
  entitlement,
  hour,
  issuedAt,
  licenseKey,
  next,
  receiptOf,
  retired,
  stranger,
  validFor,
} from './world.ts';

// Texts that are given as receipts.

type Texts = Readonly<Record<string, string>>;
type Options = Omit<Partial<ReceiptCase>, 'name' | 'receipt'>;

const receipt = receiptOf(0);
const [head = '', body = '', end = ''] = receipt.split('.');
const header = JSON.stringify(active.header());
const payload = JSON.stringify(claims());

export function receiptCases(): readonly ReceiptCase[] {
  return [
    ...validReceipts(),
    ...expecting('malformed', malformedTexts()),
    ...expecting('malformed', spellings(), { acceptable: true }),
    ...expecting('malformed', headers()),
    ...expecting('malformed', strangeHeaders(), { acceptable: true }),
    ...expecting('malformed', payloads()),
    ...expecting('malformed', strangeClaims(), { acceptable: true }),
    ...expecting('unknown_signing_key', { 'key-of-a-stranger': stranger.receipt(claims()) }),
    ...expecting(
      'unknown_signing_key',
      { 'key-that-this-program-lacks': next.receipt(claims()) },
      { keys: [active.publicKey.kid] },
    ),
    ...expecting('bad_signature', signatures()),
    ...expecting('wrong_product', {
      'another-product': receiptOf(0, { aud: 'prod_2' }),
      'no-product': receiptOf(0, { aud: undefined }),
      'empty-product': receiptOf(0, { aud: '' }),
    }),
    ...expecting('wrong_product', { 'list-of-products': receiptOf(0, { aud: ['prod_1'] }) }, { acceptable: true }),
    ...devices(),
    ...clocks(),
    ...licenseKeys(),
    ...order(),
  ];
}

function expecting(reason: string, texts: Texts, options: Options = {}): readonly ReceiptCase[] {
  return Object.entries(texts).map(([name, text]) => ({
    name: `${reason}/${name}`,
    receipt: text,
    now: at(),
    result: refused(reason),
    ...options,
  }));
}

function valid(name: string, text: string, own: Members = entitlement, options: Options = {}): ReceiptCase {
  return { name: `valid/${name}`, receipt: text, now: at(), result: accepted(unfolded(text), own), ...options };
}

/** A receipt without what mail programs do to it. */
function unfolded(text: string): string {
  return text.replaceAll('{{spaces}}', '').replaceAll(/[\s\u0085\p{Cf}]+/gu, '');
}

function validReceipts(): readonly ReceiptCase[] {
  const { currentPeriodEnd: _, ...rest } = entitlement;
  const purchase = { ...rest, billingInterval: 'one_time' };
  const timed = { ...purchase, accessEndsAt: '2027-07-18T12:00:00.000Z', updatesUntil: '2027-01-18T12:00:00.000Z' };
  const rich = { ...entitlement, deviceLimit: 3, features: { projects: 20, sso: true, theme: 'dark' } };
  const { typ, ...others } = active.header();
  return [
    valid('online', receipt),
    valid('white-space-at-its-ends', ` \n${receipt}\r\n`),
    valid('folded-by-a-mail-program', receipt.replaceAll(/(.{76})/g, '$1\r\n ')),
    valid('with-invisible-characters', `\uFEFF${head}\u200B.\u00AD${body}\u2028.\u0085${end}\u{E0001}`),
    valid('with-much-white-space', `${head}.{{spaces}}${body}.${end}`),
    valid('next-key', next.receipt(claims())),
    valid('retired-key', retired.receipt(claims())),
    valid('offline', receiptOf(0, { mode: 'offline', exp: issuedAt + 365 * 86_400 })),
    valid('mode-of-a-later-release', receiptOf(0, { mode: 'later' })),
    valid('purchase', receiptOf(0, { entitlement: purchase }), purchase),
    valid('purchase-for-a-time', receiptOf(0, { entitlement: timed }), timed),
    valid('features', receiptOf(0, { entitlement: rich }), rich),
    valid('claims-of-a-later-release', receiptOf(0, { features: ['a', 7], nbf: issuedAt + 99, more: { exp: 1 } })),
    valid('header-in-another-order', active.receipt(claims(), { typ, ...others })),
    valid('odd-lifetime', receiptOf(0, { exp: issuedAt + 3601 })),
  ];
}

function malformedTexts(): Texts {
  return {
    'no-text': '',
    'a-word': 'receipt',
    'two-dots': '..',
    'two-parts': `${head}.${body}`,
    'no-signature': `${head}.${body}.`,
    'no-payload': `${head}..${end}`,
    'four-parts': `${receipt}.${end}`,
    'json-form': JSON.stringify({ payload: body, signatures: [{ protected: head, signature: end }] }),
    portal: '<!doctype html><title>Welcome</title>',
    'an-impossible-length': receipt.slice(0, -1),
    'another-character': `${head}*.${body}.${end}`,
    'many-parts': '{{dots}}',
    huge: '{{huge}}',
    'longer-than-16384': `${head}.{{long}}.${end}`,
    'beyond-ascii': `${head}.${body}.é${end.slice(1)}`,
  };
}

/** Other spellings of the same bytes: the last character of 64 bytes has four bits that stand for nothing. */
function spellings(): Texts {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(receipt.slice(-1));
  const classic = end.replaceAll('-', '+').replaceAll('_', '/');
  return {
    'spare-bits-1': receipt.slice(0, -1) + alphabet.charAt(last + 1),
    'spare-bits-15': receipt.slice(0, -1) + alphabet.charAt(last + 15),
    padding: `${receipt}==`,
    ...(classic === end ? {} : { 'classic-alphabet': `${head}.${body}.${classic}` }),
  };
}

function headers(): Texts {
  const changed: Readonly<Record<string, Members>> = {
    'no-alg': { alg: undefined },
    'alg-none': { alg: 'none' },
    'alg-in-small-letters': { alg: 'es256' },
    'alg-ES384': { alg: 'ES384' },
    'alg-RS256': { alg: 'RS256' },
    'no-typ': { typ: undefined },
    'typ-JWT': { typ: 'JWT' },
    'typ-of-a-later-form': { typ: 'license-receipt2+jwt' },
    'no-kid': { kid: undefined },
    'kid-as-number': { kid: 7 },
  };
  const { alg, kid, typ } = active.header();
  const own: Texts = {
    'half-a-header': header.slice(0, -1),
    'list-as-header': `[${header}]`,
    'null-as-header': 'null',
    'members-in-capitals': JSON.stringify({ Alg: alg, Kid: kid, Typ: typ }),
  };
  const content = (name: string): string => `${base64url(JSON.stringify(active.header({ alg: name })))}.${body}`;
  const { x = '', y = '' } = active.publicKey;
  const secret = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return {
    ...Object.fromEntries(
      Object.entries(changed).map(([name, each]) => [name, active.receipt(claims(), active.header(each))]),
    ),
    ...Object.fromEntries(Object.entries(own).map(([name, text]) => [name, active.signed(text, payload)])),
    'nested-header': `{{deep}}.${body}.${end}`,
    'HS256-with-x-and-y': `${content('HS256')}.${createHmac('sha256', secret).update(content('HS256')).digest('base64url')}`,
    'alg-none-and-no-signature': `${content('none')}.`,
  };
}

/** Headers that a trusted key has signed, and that are not those of the service. */
function strangeHeaders(): Texts {
  const texts: Texts = {
    crit: JSON.stringify(active.header({ crit: ['exp'], exp: 1 })),
    b64: JSON.stringify(active.header({ b64: true })),
    'jku-and-jwk': JSON.stringify(active.header({ jku: 'https://evil.example', jwk: stranger.publicKey })),
    'a-member-twice': header.replace('{', `{"kid":"${stranger.publicKey.kid}",`),
    'white-space-in-the-header': JSON.stringify(active.header(), null, 1),
    'an-escaped-character': header.replace('ES256', String.raw`ES25\u0036`),
  };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, active.signed(text, payload)]));
}

function payloads(): Texts {
  return {
    'payload-that-is-no-json': active.signed(header, '{'),
    'payload-that-is-a-list': active.signed(header, `[${payload}]`),
    'payload-with-a-byte-order-mark': active.signed(header, `\uFEFF${payload}`),
    'payload-that-is-no-utf-8': active.signed(
      header,
      Buffer.from(payload.replace('Größe', 'Gr\u00F6\u00DFe'), 'latin1'),
    ),
    'payload-of-nested-lists': active.signed(header, `{"a":${'['.repeat(5000)}`),
    'no-exp': receiptOf(0, { exp: undefined }),
    'null-as-exp': receiptOf(0, { exp: null }),
  };
}

/** Claims that a trusted key has signed, and that are not those of the service. */
function strangeClaims(): Texts {
  const changed: Readonly<Record<string, Members>> = {
    'exp-as-text': { exp: String(issuedAt + validFor) },
    'exp-as-true': { exp: true },
    'exp-with-a-fraction': { exp: issuedAt + validFor + 0.5 },
    'exp-beyond-all-dates': { exp: 9e15 },
    'no-iat': { iat: undefined },
    'iat-as-text': { iat: 'now' },
    'iat-as-true': { iat: true },
    'negative-iat': { iat: -1 },
    'no-entitlement': { entitlement: undefined },
    'null-as-entitlement': { entitlement: null },
    'list-as-entitlement': { entitlement: [] },
    ...Object.fromEntries(
      ['id', 'productId', 'status', 'tierId', 'tierName', 'billingInterval'].map((name) => [
        `entitlement-without-${kebab(name)}`,
        { entitlement: { ...entitlement, [name]: undefined } },
      ]),
    ),
    'entitlement-with-a-number-as-id': { entitlement: { ...entitlement, id: 1 } },
    'entitlement-with-a-number-as-updates-until': { entitlement: { ...entitlement, updatesUntil: 1 } },
    'entitlement-with-null-as-period-end': { entitlement: { ...entitlement, currentPeriodEnd: null } },
    'entitlement-with-a-text-as-limit': { entitlement: { ...entitlement, deviceLimit: '3' } },
    'entitlement-with-half-a-limit': { entitlement: { ...entitlement, deviceLimit: 2.5 } },
    'entitlement-with-a-list-of-features': { entitlement: { ...entitlement, features: ['sso'] } },
    'entitlement-with-null-as-features': { entitlement: { ...entitlement, features: null } },
    'entitlement-with-an-object-as-feature': { entitlement: { ...entitlement, features: { sso: {} } } },
    'entitlement-with-null-as-feature': { entitlement: { ...entitlement, features: { sso: null } } },
    'claims-in-capitals': { exp: undefined, Exp: issuedAt + validFor },
  };
  return Object.fromEntries(Object.entries(changed).map(([name, each]) => [name, receiptOf(0, each)]));
}

function signatures(): Texts {
  const bytes = Buffer.from(end, 'base64url');
  const own: Readonly<Record<string, Uint8Array>> = {
    zeros: Buffer.alloc(64),
    short: bytes.subarray(0, 63),
    long: Buffer.concat([bytes, Buffer.alloc(1)]),
    'halves-exchanged': Buffer.concat([bytes.subarray(32), bytes.subarray(0, 32)]),
    'larger-than-the-order': Buffer.alloc(64, 255),
  };
  return {
    'signature-of-a-stranger': stranger.receipt(claims(), active.header()),
    'kid-of-another-key': active.receipt(claims(), next.header()),
    'der-signature': active.signed(header, payload, 'der'),
    'another-payload': `${head}.${base64url(payload.replace('"pro"', '"max"'))}.${end}`,
    'payload-without-meaning': `${head}.${base64url('{}')}.${end}`,
    ...Object.fromEntries(
      Object.entries(own).map(([name, each]) => [`signature-${name}`, `${head}.${body}.${base64url(each)}`]),
    ),
  };
}

function devices(): readonly ReceiptCase[] {
  const [own, other] = [receiptOf(0, { device: deviceName }), receiptOf(0, { device: 7 })];
  const offline = receiptOf(0, { mode: 'offline' });
  return [
    valid('for-a-device-that-nobody-asks-for', own),
    valid('for-this-device', own, entitlement, { deviceId: device.id }),
    valid('for-this-device-with-white-space', own, entitlement, { deviceId: ` ${device.id} ` }),
    valid('offline-for-any-device', offline, entitlement, { deviceId: device.id }),
    ...expecting('wrong_device', { 'for-another': own }, { deviceId: 'machine-2' }),
    ...expecting('wrong_device', { 'online-for-any': receipt, 'a-number-as-device': other }, { deviceId: device.id }),
  ];
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const judged = (name: string, now: number, lastSeen: number | null, reason: string | null): ReceiptCase => {
  const seen = lastSeen === null ? {} : { lastSeen: at(lastSeen) };
  const result = reason === null ? accepted(receipt) : refused(reason, entitlement);
  return { name: `clock/${name}`, receipt, now: at(now), ...seen, result };
};

function clocks(): readonly ReceiptCase[] {
  const end14 = 14 * day;
  return [
    judged('a-millisecond-before-the-end', end14 - 1, null, null),
    judged('at-the-end', end14, null, 'expired'),
    judged('after-the-end', end14 + hour, null, 'expired'),
    judged('a-day-before-the-issue', -day, null, null),
    judged('more-than-a-day-before-the-issue', -day - 1, null, 'clock_set_back'),
    judged('a-day-behind-what-was-seen', day, 2 * day, null),
    judged('more-than-a-day-behind-what-was-seen', day - 1, 2 * day, 'clock_set_back'),
    judged('what-was-seen-decides-the-end', end14 - day, end14, 'expired'),
    judged('what-was-seen-long-ago', day, -100 * day, null),
    judged('epoch', -Date.parse(at()), null, 'clock_set_back'),
    {
      name: 'clock/over-before-it-was-issued',
      receipt: receiptOf(0, { exp: issuedAt - 5 }),
      now: at(-hour),
      result: refused('expired', entitlement),
    },
  ];
}

const not = (name: string, typed: string, text = receipt): readonly ReceiptCase[] =>
  expecting('wrong_key', { [name]: text }, { licenseKey: typed });

function licenseKeys(): readonly ReceiptCase[] {
  const bare = licenseKey.replaceAll('-', '');
  const full = Array.from(licenseKey, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)).join('');
  const imported = 'ACME-Pro-2024-ÄÖÜ-☃-key';
  const ofImported = receiptOf(0, { key: digestOf(imported) });
  const earlier = 'vendor key  0001-with  spaces';
  const own = (name: string, typed: string): ReceiptCase =>
    valid(`key-${name}`, receipt, entitlement, { licenseKey: typed });
  return [
    own('as-issued', licenseKey),
    own('without-hyphens', bare),
    own('in-small-letters', licenseKey.toLowerCase()),
    own('with-spaces', ` ${bare.replaceAll(/(..)/g, '$1 ')}\t\r\n`),
    own('with-o-for-0', licenseKey.replaceAll('0', 'O')),
    own('with-i-and-l-for-1', licenseKey.replaceAll('1', 'i').replace('i', 'L')),
    own('in-quotes', `\u201C${licenseKey}\u201D`),
    own('in-several-quotes', `\u00AB\u2039"${licenseKey}"\u203A\u00BB'`),
    own('with-other-hyphens', licenseKey.replaceAll('-', '\u2013')),
    own('with-the-minus-sign', licenseKey.replaceAll('-', '\u2212')),
    own('with-soft-hyphens', licenseKey.replaceAll('-', '-\u00AD')),
    own('with-zero-width-spaces', `\u200B${licenseKey}\uFEFF`),
    own('in-full-width', full),
    own('with-ideographic-spaces', `\u3000${licenseKey.replaceAll('-', '\u3000')}`),
    ...not('empty', ''),
    ...not('with-a-quote-at-one-end', `"${licenseKey}`),
    ...not('one-symbol-less', licenseKey.slice(0, -1)),
    ...not('one-symbol-more', `${licenseKey}0`),
    ...not('without-lk', bare.slice(2)),
    ...not('another-symbol', licenseKey.replace('G', 'H')),
    ...not('with-a-long-s', licenseKey.replace('S', '\u017F')),
    ...not('with-a-dotless-i', licenseKey.replace('1', '\u0131')),
    ...not('with-next-line', `${licenseKey}\u0085`),
    ...not('with-a-control-character', `${licenseKey}\u001F`),
    valid('key-imported', ofImported, entitlement, { licenseKey: `\n"${imported}" ` }),
    valid('key-imported-decomposed', ofImported, entitlement, {
      licenseKey: imported.normalize('NFD'),
      needs: ['nfc'],
    }),
    valid('key-with-the-sign-of-kelvin', receipt, entitlement, {
      licenseKey: licenseKey.replace('K', '\u212A'),
      needs: ['nfc'],
    }),
    valid('key-imported-by-an-earlier-release', receiptOf(0, { key: digestOf(earlier) }), entitlement, {
      licenseKey: ` ${earlier} `,
    }),
    ...not('imported-in-small-letters', imported.toLowerCase(), ofImported),
    ...not('imported-without-hyphens', imported.replaceAll('-', ''), ofImported),
    ...not('no-key-in-the-receipt', licenseKey, receiptOf(0, { key: undefined })),
    ...not(
      'digest-in-another-form',
      licenseKey,
      receiptOf(0, { key: Buffer.from(digestOf(bare), 'base64url').toString('hex') }),
    ),
  ];
}

const bad = (text: string): string => `${text.slice(0, -86)}${'A'.repeat(86)}`;

/** A receipt with several faults: the first one of the list counts. */
function order(): readonly ReceiptCase[] {
  const ahead = { iat: issuedAt + 100_000, exp: issuedAt, device: deviceName };
  const options = { licenseKey: 'another key', deviceId: 'machine-2', lastSeen: at(30 * day) };
  const one = (name: string, text: string, reason: string, more: Options = {}): ReceiptCase => ({
    name: `order/${name}`,
    receipt: text,
    now: at(),
    ...options,
    ...more,
    result: refused(reason, reason === 'clock_set_back' ? entitlement : null),
  });
  const wrong = { ...ahead, aud: 'prod_2' };
  return [
    one('unknown-key-before-signature', bad(stranger.receipt(claims(wrong))), 'unknown_signing_key'),
    one('signature-before-claims', bad(receiptOf(0, { ...wrong, entitlement: null })), 'bad_signature'),
    one('claims-before-product', receiptOf(0, { ...wrong, entitlement: null }), 'malformed'),
    one('product-before-key', receiptOf(0, wrong), 'wrong_product'),
    one('key-before-device', receiptOf(0, ahead), 'wrong_key'),
    one('device-before-clock', receiptOf(0, ahead), 'wrong_device', { licenseKey }),
    one('clock-before-end', receiptOf(0, ahead), 'clock_set_back', { licenseKey, deviceId: device.id }),
  ];
}
