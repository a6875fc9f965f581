import type { Call } from '../call.ts';
import { day } from '../parsing/duration.ts';
import { Refusal } from '../refusal.ts';
import type { KeyKind, NewKey } from './key-kind.ts';
import type { AllKeys } from './keys.port.ts';
import { isUsable, type StoredKey } from './stored-key.ts';

/** A key that was issued, now or by an earlier request with the same id. */
export interface IssuedKey<Key> {
  readonly issued: Key;
  /** The only copy of the key itself. Null if it was issued before: nothing shows a key twice. */
  readonly key: string | null;
}

/**
 * Adds a key or, where its id is taken, returns the key that has the id, if `isSame` accepts that one as the answer to
 * the same request. So an id that the caller chooses makes it safe to repeat. Refuses with `expiry_too_early` unless the
 * key expires later than now, and with the kind's code for an id that is taken.
 */
export async function addKey<Key extends StoredKey>(
  kind: KeyKind,
  keys: AllKeys<Key>,
  { key, stored }: { readonly key: string; readonly stored: Key },
  isSame: (known: Key) => boolean,
  call: Call,
): Promise<IssuedKey<Key>> {
  const known = await keys.find(stored.id, call);
  if (known === null) {
    if (stored.expiresAt !== null && stored.expiresAt <= call.now) throw new Refusal('expiry_too_early');
    if ((await keys.add(stored, call)) === 'added') return { issued: stored, key };
  }
  const winner = known ?? (await keys.find(stored.id, call));
  if (winner === null || !isSame(winner)) throw new Refusal(kind.refusals.exists);
  return { issued: winner, key: null };
}

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
export const defaultOverlap = day;

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

/** A revoked key, and whether this call has revoked it. */
export interface RevokedKey<Key> {
  readonly key: Key;
  readonly changed: boolean;
}

/**
 * Revokes a key. Once this resolves, every process refuses the key for requests that arrive later. Revoking a key again
 * changes nothing. Refuses with the kind's code for an unknown id.
 */
export type RevokeKey<Key> = (id: string, call: Call) => Promise<RevokedKey<Key>>;

export function revokeKey<Key extends StoredKey>(kind: KeyKind, keys: AllKeys<Key>): RevokeKey<Key> {
  return async (id, call) => {
    const outcome = await keys.end(id, { revokedAt: call.now }, call);
    const key = await keys.find(id, call);
    if (key === null) throw new Refusal(kind.refusals.notFound);
    return { key, changed: outcome === 'ended' };
  };
}
