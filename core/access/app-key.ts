import { base62, randomText, type Crc32, type RandomBytes } from '../secret.ts';
import type { Scope } from './scope.ts';

/** The credential of a product's server. The key is shown once; only its digest is stored. */
export interface AppKey {
  readonly id: string;
  readonly productId: string;
  /** SHA-256 of the key, base64url. */
  readonly digest: string;
  /** For display. */
  readonly lastFour: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** Accurate to about a minute; null before the first use. */
  readonly lastUsedAt: Date | null;
}

const appKeyPrefix = 'svc_sk_live_';
const randomLength = 32;
const checksumLength = 6;
const issuedForm = new RegExp(`^${appKeyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** Generates a key: the prefix, 32 random base62 symbols (190 bits), and the CRC-32 of both as six base62 symbols. */
export function generateAppKey(randomBytes: RandomBytes, crc32: Crc32): string {
  const body = appKeyPrefix + randomText(base62, randomLength, randomBytes);
  return body + checksum(body, crc32);
}

/**
 * Reports whether a presented text can be an app key, so that mistyped and invented keys are refused without a look-up.
 * A text of exactly the issued form needs the right checksum; any other text with the prefix can have been stored by
 * hand.
 */
export function canBeAppKey(presented: string, crc32: Crc32): boolean {
  if (!presented.startsWith(appKeyPrefix)) return false;
  if (!issuedForm.test(presented)) return true;
  return presented.slice(-checksumLength) === checksum(presented.slice(0, -checksumLength), crc32);
}

/** Reports whether a key gives access at this instant. */
export function isUsable(key: AppKey, now: Date): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}

function checksum(body: string, crc32: Crc32): string {
  let rest = crc32(body);
  let text = '';
  for (let position = 0; position < checksumLength; position += 1) {
    text = base62.charAt(rest % base62.length) + text;
    rest = Math.floor(rest / base62.length);
  }
  return text;
}
