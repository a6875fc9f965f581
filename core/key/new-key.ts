import type { NewId } from '../identifier.ts';
import type { Crc32, Digest, RandomBytes } from '../secret.ts';
import { generateKey, type KeyKind } from './key-kind.ts';
import type { KeyTerms, StoredKey } from './stored-key.ts';

/** What is new about a new key, whatever its terms. */
export type KeyFacts = Omit<StoredKey, keyof KeyTerms>;

/** Makes a key, with a generated id if none is given, and what the store keeps of it beside its terms. */
export type NewKey = (id: string | null, now: Date) => { readonly key: string; readonly facts: KeyFacts };

export function newKey(kind: KeyKind, newId: NewId, randomBytes: RandomBytes, crc32: Crc32, digest: Digest): NewKey {
  return (id, now) => {
    const key = generateKey(kind, randomBytes, crc32);
    const facts = { id: id ?? newId(), digest: digest(key), lastFour: key.slice(-4), createdAt: now };
    return { key, facts: { ...facts, revokedAt: null, lastUsedAt: null } };
  };
}
