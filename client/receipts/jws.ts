/** The text of a receipt, taken apart. Nothing in it can be trusted before its signature is verified. */
export interface Jws {
  /** Names the key that signed it. */
  readonly kid: string;
  /** The bytes that are signed. */
  readonly content: Bytes;
  readonly payload: Bytes;
  readonly signature: Bytes;
}

/** A public key, as a JWKS contains it (RFC 7517 §4). */
export interface SigningKey {
  readonly kid?: string | undefined;
  readonly kty?: string | undefined;
  readonly crv?: string | undefined;
  readonly x?: string | undefined;
  readonly y?: string | undefined;
  readonly alg?: string | undefined;
  readonly use?: string | undefined;
  readonly [member: string]: unknown;
}

/** The members of a JSON object. */
export type Claims = Readonly<Record<string, unknown>>;

type Bytes = Uint8Array<ArrayBuffer>;
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The `typ` of a receipt: of a license or of a trial. */
export type ReceiptType = 'license-receipt+jwt' | 'trial-receipt+jwt';

/** Characters of a receipt. The service makes about 750, and at most 2,100 beside the issuer's URL. */
const maxLength = 16_384;

/** Bytes of a signature: two numbers of 32 bytes (RFC 7518 §3.4). */
const signatureLength = 64;

/** White space and invisible characters, such as those with which a mail program folds a line. A JWS has none of them. */
const unseen = /[\s\u0085\p{Cf}]+/gu;

/** A text without what happens to a receipt on its way. */
export function unfolded(text: string): string {
  return text.replaceAll(unseen, '');
}

/**
 * Takes a receipt apart: a compact JWS (RFC 7515 §7.1) whose header is `alg`, `kid` and `typ`, each once. Returns null for
 * any other text, and for any other spelling of the same bytes, white space aside.
 */
export function jwsIn(receipt: unknown, type: ReceiptType = 'license-receipt+jwt'): Jws | null {
  const text = typeof receipt === 'string' ? unfolded(receipt) : '';
  if (text.length > maxLength) return null;
  const [head = '', body = '', end = '', ...more] = text.split('.');
  const [header, payload, signature] = [bytesIn(head), bytesIn(body), bytesIn(end)];
  if (header === null || payload === null || signature === null || more.length > 0) return null;
  const kid = kidIn(header, type);
  return kid === null ? null : { kid, content: new TextEncoder().encode(`${head}.${body}`), payload, signature };
}

/** Imports the key that a receipt names; null if `keys` has no such key that can verify ES256. */
export async function keyNamed(kid: string, keys: readonly SigningKey[]): Promise<Key | null> {
  const named = keys.find((key) => key.kid === kid && canVerify(key));
  if (named === undefined) return null;
  const { kty = '', crv = '', x = '', y = '' } = named;
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  return crypto.subtle.importKey('jwk', { kty, crv, x, y }, algorithm, false, ['verify']).catch(() => null);
}

export async function isSigned({ content, signature }: Jws, key: Key): Promise<boolean> {
  if (signature.length !== signatureLength) return false;
  return crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, content);
}

/** The JSON object that bytes are; null for any others. */
export function objectIn(bytes: Bytes): Claims | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : null;
  } catch {
    return null;
  }
}

/** Encodes bytes in base64url without padding (RFC 7515 §2). */
export function base64urlOf(bytes: Bytes): string {
  const binary = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Decodes base64url; null for an empty text and for every spelling but the one that encoding the bytes gives. */
function bytesIn(text: string): Bytes | null {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return text !== '' && base64urlOf(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}

/** The `kid` of a header; null if the header is not exactly that of a receipt of the type. */
function kidIn(header: Bytes, type: ReceiptType): string | null {
  const { alg, kid, typ } = objectIn(header) ?? {};
  if (alg !== 'ES256' || typ !== type || typeof kid !== 'string') return null;
  // A longer text has further members, a member twice, or white space.
  return header.length === new TextEncoder().encode(JSON.stringify({ alg, kid, typ })).length ? kid : null;
}

function canVerify({ crv, alg = 'ES256', use = 'sig' }: SigningKey): boolean {
  return crv === 'P-256' && alg === 'ES256' && use === 'sig';
}
