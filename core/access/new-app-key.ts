import type { NewId } from '../identifier.ts';
import type { Crc32, Digest, RandomBytes } from '../secret.ts';
import { generateAppKey, type AppKey } from './app-key.ts';
import type { Scope } from './scope.ts';

/** What the administrator decides about a new key. */
export interface AppKeyTerms {
  readonly productId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
}

/** A new key, with the only copy of the key itself. */
export interface IssuedAppKey extends AppKeyTerms {
  readonly id: string;
  readonly key: string;
}

/** Makes a key for the administrator, and what the store keeps of it. */
export type NewAppKey = (terms: AppKeyTerms, now: Date) => { readonly issued: IssuedAppKey; readonly stored: AppKey };

export function newAppKey(newId: NewId, randomBytes: RandomBytes, crc32: Crc32, digest: Digest): NewAppKey {
  return ({ productId, scopes, expiresAt }, now) => {
    const id = newId();
    const key = generateAppKey(randomBytes, crc32);
    const stored = { id, productId, digest: digest(key), lastFour: key.slice(-4), scopes, createdAt: now, expiresAt };
    return {
      issued: { id, key, productId, scopes, expiresAt },
      stored: { ...stored, revokedAt: null, lastUsedAt: null },
    };
  };
}
