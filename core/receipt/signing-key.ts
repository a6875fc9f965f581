import { day } from '../parsing/duration.ts';
import type { Digest } from '../secret.ts';

/** The public half of a key pair on the curve P-256: its coordinates, 32 bytes each, base64url (RFC 7518 §6.2.1). */
export interface PublicPart {
  readonly x: string;
  readonly y: string;
}

/** A key pair. `d` is the private half, 32 bytes, base64url. */
export interface KeyPair extends PublicPart {
  readonly d: string;
}

/** Generates a key pair. */
export type NewKeyPair = () => KeyPair;

/** Derives the public half that belongs to a private half. Returns null if no key can have that private half. */
export type PublicPartOf = (d: string) => PublicPart | null;

/** Signs the ASCII bytes of a text with ES256 (RFC 7518 §3.4). Returns r and s, 64 bytes, as base64url. */
export type SignText = (text: string, key: KeyPair) => string;

/** Encodes the UTF-8 bytes of a text as base64url without padding. */
export type EncodeText = (text: string) => string;

export const signingAlgorithm = 'ES256';

interface SigningKeyBase extends PublicPart {
  /** The thumbprint of the public half (RFC 7638). */
  readonly kid: string;
  readonly createdAt: Date;
}

/** Published since its creation, so that apps know it before it signs anything. */
export interface NextKey extends SigningKeyBase, KeyPair {
  readonly state: 'next';
}

/** Signs every receipt. */
export interface ActiveKey extends SigningKeyBase, KeyPair {
  readonly state: 'active';
  readonly activeAt: Date;
  /** When the last of its offline receipts expires; null if it has signed none. */
  readonly offlineUntil: Date | null;
}

/** Signs no more, but is published until the receipts that it has signed are over. Its private half is gone. */
export interface RetiredKey extends SigningKeyBase {
  readonly state: 'retired';
  readonly activeAt: Date;
  readonly retiredAt: Date;
  readonly offlineUntil: Date | null;
}

/** Not published any more. Its private half is gone. */
export interface RevokedKey extends SigningKeyBase {
  readonly state: 'revoked';
  /** Null if it was revoked before it signed anything. So is `retiredAt`. */
  readonly activeAt: Date | null;
  readonly retiredAt: Date | null;
  readonly offlineUntil: Date | null;
  readonly revokedAt: Date;
}

/** The states of a key, in the order of its life. */
export const signingKeyStates = ['next', 'active', 'retired', 'revoked'] as const;

export type SigningKey = NextKey | ActiveKey | RetiredKey | RevokedKey;

/** The longest time for which a process may let an online receipt hold, in milliseconds. */
export const maxReceiptTtl = 90 * day;

/**
 * The instant by which every receipt that a key has signed is over: 90 days after it was retired, or the end of its
 * last offline receipt if that is later. Null for a key that has not been retired.
 */
function validUntil(key: SigningKey): Date | null {
  if (key.state === 'next' || key.state === 'active' || key.retiredAt === null) return null;
  const online = key.retiredAt.getTime() + maxReceiptTtl;
  return new Date(Math.max(online, key.offlineUntil?.getTime() ?? -Infinity));
}

/** Reports whether apps may trust the receipts of a key. */
export function isPublished(key: SigningKey, now: Date): boolean {
  if (key.state === 'revoked') return false;
  const end = validUntil(key);
  return end === null || end > now;
}

/** Makes a key that has signed nothing yet. */
export type NewSigningKey = (now: Date) => NextKey;

/** A key whose id begins with a hyphen is discarded, because commands would take it for an option. */
export function newSigningKey(newKeyPair: NewKeyPair, digest: Digest): NewSigningKey {
  return (now) => {
    for (;;) {
      const pair = newKeyPair();
      const kid = thumbprint(pair, digest);
      if (!kid.startsWith('-')) return { state: 'next', kid, ...pair, createdAt: now };
    }
  };
}

/** The thumbprint of a public key: SHA-256, base64url (RFC 7638 §3). */
export function thumbprint({ x, y }: PublicPart, digest: Digest): string {
  return digest(`{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`);
}

/** The members of a key that may be shown. */
export interface SigningKeyView {
  readonly kid: string;
  readonly state: SigningKey['state'];
  readonly alg: typeof signingAlgorithm;
  readonly createdAt: Date;
  readonly activeAt: Date | null;
  readonly retiredAt: Date | null;
  readonly revokedAt: Date | null;
  readonly validUntil: Date | null;
}

export function viewOf(key: SigningKey): SigningKeyView {
  return {
    kid: key.kid,
    state: key.state,
    alg: signingAlgorithm,
    createdAt: key.createdAt,
    activeAt: 'activeAt' in key ? key.activeAt : null,
    retiredAt: 'retiredAt' in key ? key.retiredAt : null,
    revokedAt: 'revokedAt' in key ? key.revokedAt : null,
    validUntil: validUntil(key),
  };
}

/** A key as apps get it (RFC 7517). */
export interface PublishedKey extends PublicPart {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly kid: string;
  readonly alg: typeof signingAlgorithm;
  readonly use: 'sig';
}

/** A JWK Set (RFC 7517 §5). */
export interface PublishedKeys {
  readonly keys: readonly PublishedKey[];
}

export function publishedKey({ kid, x, y }: SigningKey): PublishedKey {
  return { kty: 'EC', crv: 'P-256', x, y, kid, alg: signingAlgorithm, use: 'sig' };
}
