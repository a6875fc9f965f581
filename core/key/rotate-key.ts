import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { AllKeys } from './all-keys.port.ts';
import { addKey, type IssuedKey } from './issue-key.ts';
import type { KeyKind } from './key-kind.ts';
import type { NewKey } from './new-key.ts';
import { isUsable, type StoredKey } from './stored-key.ts';

export interface KeyRotation {
  readonly id: string;
  /** The id of the new key; null for a generated one. */
  readonly newId: string | null;
  /** Milliseconds for which the old key still works, unless it expires sooner. */
  readonly overlap: number;
  /** When the new key expires. */
  readonly expiresAt: Date | null;
}

/** The default overlap, in milliseconds: a day to bring the new key to every server. */
export const defaultOverlap = 86_400_000;

/**
 * Issues a key on the terms of an old one, which ends after the overlap. The new key is stored first, so that an
 * interruption between the two steps leaves its owner a working key. With a `newId`, a repeated rotation completes the
 * first and shows no key. Refuses with the kind's codes for an unknown key, for one that is revoked or expired, and for
 * a `newId` that a key on other terms has; and with `expiry_too_early`.
 */
export type RotateKey<Key> = (rotation: KeyRotation, call: Call) => Promise<IssuedKey<Key>>;

/** `haveSameTerms` compares two keys without their expiry. */
export function rotateKey<Key extends StoredKey>(
  kind: KeyKind,
  keys: AllKeys<Key>,
  makeKey: NewKey,
  haveSameTerms: (a: Key, b: Key) => boolean,
): RotateKey<Key> {
  return async ({ id, newId, overlap, expiresAt }, call) => {
    const old = await keys.find(id, call);
    if (old === null) throw new Refusal(kind.refusals.notFound);
    const isRepeated = newId !== null && (await keys.find(newId, call)) !== null;
    if (!isRepeated && !isUsable(old, call.now)) throw new Refusal(kind.refusals.ended);
    const { key, facts } = makeKey(newId, call.now);
    const stored = { ...old, ...facts, expiresAt };
    const isSuccessor = (known: Key): boolean => known.id !== id && haveSameTerms(old, known);
    const answer = await addKey(kind, keys, { key, stored }, isSuccessor, call);
    const end = new Date(answer.issued.createdAt.getTime() + overlap);
    await keys.end(id, { expiresAt: end }, call);
    return answer;
  };
}
