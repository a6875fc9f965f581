import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { AllKeys } from './all-keys.port.ts';
import type { KeyKind } from './key-kind.ts';
import type { StoredKey } from './stored-key.ts';

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
