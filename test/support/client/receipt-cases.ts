import { createHmac, createPublicKey } from 'node:crypto';
import type { ReceiptVerification, SigningKey } from '../../../client/index.ts';
import { range } from '../range.ts';
import {
  aLicensedEntitlement,
  base64url,
  receiptClaims,
  ReceiptSigner,
  validFor,
  type Members,
} from './receipt-signer.ts';

type Verdict = 'valid' | Extract<ReceiptVerification, { readonly verdict: 'invalid' }>['reason'];

/** A text that a verifier is given as a receipt of `prod_1`. */
export interface ReceiptCase {
  readonly title: string;
  readonly receipt: string;
  readonly expected: Verdict;
  /** Whether verifiers of others may accept it: a trusted key has signed its bytes, and only ours is that strict. */
  readonly mayPass: boolean;
}

/** The device of a receipt that is for one. */
export const device = `dev_${'a1_-'.repeat(5)}bc`;

type Receipts = Readonly<Record<string, string>>;

/** The receipts and the keys that a program trusts: the active key, the next one and a retired one. */
export interface ReceiptCases {
  readonly keys: readonly SigningKey[];
  readonly cases: readonly ReceiptCase[];
}

/** The keys that sign. Nobody trusts that of the stranger. */
const [active, next, retired, stranger] = [
  new ReceiptSigner(),
  new ReceiptSigner(),
  new ReceiptSigner(),
  new ReceiptSigner(),
];
const header = JSON.stringify(active.header());

/** Every form that a receipt can have, for a clock that stands at the second `now`. */
export function receiptCases(now: number): ReceiptCases {
  const claims = receiptClaims({ iat: now, exp: now + validFor });
  const receipt = active.receipt(claims);
  return {
    keys: [active, next, retired].map(({ publicKey }) => publicKey),
    cases: [
      ...expecting('valid', validReceipts(claims, now)),
      ...expecting('valid', foldedReceipts(receipt)),
      ...expecting('malformed', malformedTexts(receipt)),
      ...expecting('malformed', otherSpellings(receipt), true),
      ...expecting('malformed', wrongHeaders(claims)),
      ...expecting('malformed', strangeHeaders(claims), true),
      ...expecting('malformed', symmetricSignatures(claims)),
      ...expecting('malformed', { 'a payload that is no JSON': active.signed(header, '{'), ...withoutEnd(claims) }),
      ...expecting('malformed', strangeClaims(claims), true),
      ...expecting('unknown_signing_key', { 'a stranger’s key': stranger.receipt(claims) }),
      ...expecting('bad_signature', wrongSignatures(claims, receipt)),
      ...expecting('wrong_product', ofAnotherProduct(claims)),
      ...expecting('wrong_product', { 'a list of products': active.receipt({ ...claims, aud: ['prod_1'] }) }, true),
      ...expecting(
        'clock_set_back',
        { 'one of the day after': active.receipt({ ...claims, iat: now + 90_000 }) },
        true,
      ),
      ...expecting('expired', {
        'one that has just expired': active.receipt({ ...claims, iat: now - validFor, exp: now }),
        'one that expired a minute ago': active.receipt({ ...claims, iat: now - validFor, exp: now - 60 }),
      }),
    ],
  };
}

/** Receipts that differ from `receipt` in one bit of their decoded bytes. */
export function* changedBits(receipt: string): Generator<string> {
  const parts = receipt.split('.').map((part) => Buffer.from(part, 'base64url'));
  for (const part of parts) {
    for (const bit of range(part.length * 8)) {
      const at = bit >> 3;
      part.writeUInt8(part.readUInt8(at) ^ (1 << (bit & 7)), at);
      yield parts.map((bytes) => base64url(bytes)).join('.');
      part.writeUInt8(part.readUInt8(at) ^ (1 << (bit & 7)), at);
    }
  }
}

function expecting(expected: Verdict, receipts: Receipts, mayPass = false): readonly ReceiptCase[] {
  return Object.entries(receipts).map(([title, receipt]) => ({ title, receipt, expected, mayPass }));
}

function validReceipts(claims: Members, now: number): Receipts {
  const { currentPeriodEnd: _, ...purchase } = aLicensedEntitlement({ billingInterval: 'one_time' });
  const { typ, ...others } = active.header();
  return {
    'a receipt': active.receipt(claims),
    'one with white space at its ends': ` \n${active.receipt(claims)}\r\n`,
    'one of the next key': next.receipt(claims),
    'one of a retired key': retired.receipt(claims),
    'one for a device': active.receipt({ ...claims, device }),
    'an offline one': active.receipt({ ...claims, mode: 'offline', exp: now + 365 * 86_400 }),
    'one of a purchase': active.receipt({ ...claims, entitlement: purchase }),
    'one of a purchase for a time': active.receipt({
      ...claims,
      entitlement: { ...purchase, accessEndsAt: '2027-07-18T12:00:00.000Z', updatesUntil: '2027-01-18T12:00:00.000Z' },
    }),
    'one with claims of a later release': active.receipt({
      ...claims,
      device: { aud: 'd', exp: 1 },
      features: ['a', 7],
    }),
    'one of a service whose clock is ahead': active.receipt({ ...claims, iat: now + 3600 }),
    'one with its header in another order': active.receipt(claims, { typ, ...others }),
  };
}

/** A receipt with what mail programs, editors and people put between its characters. */
function foldedReceipts(receipt: string): Receipts {
  const folded = (end: string): string => receipt.replaceAll(/(.{76})/g, `$1${end}`);
  return {
    'a receipt in lines': folded('\n'),
    'a receipt in lines of Windows': `\uFEFF${folded('\r\n')}\r\n`,
    'a receipt that is indented': `    ${folded('\n    ')}\n`,
    'a receipt with tabs and form feeds': folded('\t\f\v'),
    'a receipt with spaces of typesetters': folded('\u00A0\u2003\u202F\u3000'),
    'a receipt with separators of lines': folded('\u0085\u2028\u2029'),
    'a receipt with soft hyphens and invisible spaces': `\u200B${folded('\u00AD\u200B\u2060')}\u200B`,
    'a receipt with marks of direction': `\u202A${folded('\u200E\u200F')}\u202C`,
    'a receipt with a space at each dot': receipt.replaceAll('.', ' . '),
    'a receipt with white space between all characters': [...receipt].join(' \n'),
  };
}

function malformedTexts(receipt: string): Receipts {
  const [head = '', payload = '', signature = ''] = receipt.split('.');
  return {
    'no text': '',
    'a word': 'receipt',
    'two dots': '..',
    'two parts': `${head}.${payload}`,
    'no signature': `${head}.${payload}.`,
    'no payload': `${head}..${signature}`,
    'four parts': `${receipt}.${signature}`,
    'five parts': `${receipt}.${payload}.${signature}`,
    'the JSON form': JSON.stringify({ payload, signatures: [{ protected: head, signature }] }),
    'the page of a portal': '<!doctype html><title>Welcome</title>',
    'an impossible length': receipt.slice(0, -1),
    'another character in the header': `${head}*.${payload}.${signature}`,
    'many parts': 'a.'.repeat(50_000),
    'a long payload': `${head}.${base64url('a'.repeat(50_000))}.${signature}`,
  };
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Other spellings of the same signature: the last character of 64 bytes has four bits that stand for nothing. */
function otherSpellings(receipt: string): Receipts {
  const last = alphabet.indexOf(receipt.slice(-1));
  const spare = range(15).map((index) => [
    `spare bits ${index + 1}`,
    receipt.slice(0, -1) + alphabet.charAt(last + index + 1),
  ]);
  const [head = '', payload = '', signature = ''] = receipt.split('.');
  const classic = signature.replaceAll('-', '+').replaceAll('_', '/');
  return {
    ...Object.fromEntries(spare),
    padding: `${receipt}==`,
    ...(classic === signature ? {} : { 'the classic alphabet': `${head}.${payload}.${classic}` }),
  };
}

function wrongHeaders(claims: Members): Receipts {
  const members: Readonly<Record<string, Members>> = {
    'no alg': { alg: undefined },
    'alg none': { alg: 'none' },
    'alg es256': { alg: 'es256' },
    'alg ES384': { alg: 'ES384' },
    'alg RS256': { alg: 'RS256' },
    'no typ': { typ: undefined },
    'typ JWT': { typ: 'JWT' },
    'typ of a later form': { typ: 'license-receipt2+jwt' },
    'typ of a trial': { typ: 'trial-receipt+jwt' },
    'no kid': { kid: undefined },
    'a number as kid': { kid: 7 },
  };
  const changed = Object.entries(members).map(([title, each]) => [title, active.receipt(claims, active.header(each))]);
  const texts = { 'half a header': header.slice(0, -1), 'a list as header': `[${header}]`, 'null as header': 'null' };
  const own = Object.entries({ ...texts, 'a deep header': '['.repeat(10_000) });
  const payload = JSON.stringify(claims);
  return Object.fromEntries([...changed, ...own.map(([title, text]) => [title, active.signed(text, payload)])]);
}

/** Headers of a trusted key that are not those of the service. */
function strangeHeaders(claims: Members): Receipts {
  const texts = {
    crit: JSON.stringify(active.header({ crit: ['exp'], exp: 1 })),
    b64: JSON.stringify(active.header({ b64: true })),
    'jku and jwk': JSON.stringify(active.header({ jku: 'https://evil.example', jwk: stranger.publicKey })),
    'a member twice': header.replace('{', `{"kid":"${stranger.publicKey.kid}",`),
    'white space in the JSON': JSON.stringify(active.header(), null, 1),
    'an escaped character': header.replace('ES256', String.raw`ES25\u0036`),
    'a member of the prototype': header.replace('{', '{"__proto__":{"alg":"ES256"},'),
  };
  const payload = JSON.stringify(claims);
  return Object.fromEntries(Object.entries(texts).map(([title, text]) => [title, active.signed(text, payload)]));
}

/** Receipts that take the public key for a secret, or no key at all. */
function symmetricSignatures(claims: Members): Receipts {
  const { x, y } = active.publicKey;
  const secrets = {
    'x and y': Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]),
    'the JWK': JSON.stringify(active.publicKey),
    'the PEM': createPublicKey(active.key).export({ format: 'pem', type: 'spki' }),
    nothing: '',
  };
  const contentOf = (alg: string) =>
    `${base64url(JSON.stringify(active.header({ alg })))}.${base64url(JSON.stringify(claims))}`;
  const signed = Object.entries(secrets).map(([title, secret]) => {
    const mac = createHmac('sha256', secret).update(contentOf('HS256')).digest();
    return [`HS256 with ${title}`, `${contentOf('HS256')}.${base64url(mac)}`];
  });
  return { ...Object.fromEntries(signed), 'alg none and no signature': `${contentOf('none')}.` };
}

function withoutEnd(claims: Members): Receipts {
  return {
    'no exp': active.receipt({ ...claims, exp: undefined }),
    'null as exp': active.receipt({ ...claims, exp: null }),
  };
}

/** Claims of a trusted key that are not those of the service. */
function strangeClaims(claims: Members): Receipts {
  const { exp } = claims;
  const { tierId: _, ...untiered } = aLicensedEntitlement();
  const changed: Readonly<Record<string, Members>> = {
    'a text as exp': { exp: String(exp) },
    'a fraction as exp': { exp: Number(exp) + 0.5 },
    'exp beyond all dates': { exp: 9e15 },
    'no iat': { iat: undefined },
    'a text as iat': { iat: 'now' },
    'a negative iat': { iat: -1 },
    'no entitlement': { entitlement: undefined },
    'null as entitlement': { entitlement: null },
    'a list as entitlement': { entitlement: [] },
    'an entitlement without a tier': { entitlement: untiered },
    'an entitlement with a number as the end of its updates': {
      entitlement: { ...aLicensedEntitlement(), updatesUntil: 1 },
    },
    'an entitlement with null as the end of its access': {
      entitlement: { ...aLicensedEntitlement(), accessEndsAt: null },
    },
    'an entitlement with null as the end of its period': {
      entitlement: { ...aLicensedEntitlement(), currentPeriodEnd: null },
    },
  };
  return Object.fromEntries(
    Object.entries(changed).map(([title, each]) => [title, active.receipt({ ...claims, ...each })]),
  );
}

function wrongSignatures(claims: Members, receipt: string): Receipts {
  const payload = JSON.stringify(claims);
  const [head = '', body = '', end = ''] = receipt.split('.');
  const bytes = Buffer.from(end, 'base64url');
  const signatures = {
    'a signature of zeros': Buffer.alloc(64),
    'a short signature': bytes.subarray(0, 63),
    'a long signature': Buffer.concat([bytes, Buffer.alloc(1)]),
    'a signature with its halves exchanged': Buffer.concat([bytes.subarray(32), bytes.subarray(0, 32)]),
  };
  return {
    'a stranger’s signature': stranger.receipt(claims, active.header()),
    'the kid of another key': active.receipt(claims, next.header()),
    'a DER signature': active.signed(header, payload, 'der'),
    'another payload': `${head}.${base64url(payload.replace('"pro"', '"max"'))}.${end}`,
    ...Object.fromEntries(
      Object.entries(signatures).map(([title, each]) => [title, `${head}.${body}.${base64url(each)}`]),
    ),
  };
}

function ofAnotherProduct(claims: Members): Receipts {
  return Object.fromEntries(
    Object.entries({ 'another product': 'prod_2', 'no product': undefined, 'an empty product': '' }).map(
      ([title, aud]) => [title, active.receipt({ ...claims, aud })],
    ),
  );
}
