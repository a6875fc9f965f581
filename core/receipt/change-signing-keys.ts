import type { Call } from '../call.ts';
import { untilStored } from '../compare-and-set.ts';
import { Refusal } from '../refusal.ts';
import { keysIn, revokedIn, rotated, wasActive, type KeyRing } from './key-ring.ts';
import type { MakeSigningKeys } from './make-signing-keys.ts';
import { viewOf, type NewSigningKey, type SigningKeyView } from './signing-key.ts';
import type { SigningKeys } from './signing-keys.port.ts';

/** All keys after a rotation, the active one first, and whether this call has changed them. */
export interface SigningKeyRotation {
  readonly keys: readonly SigningKeyView[];
  readonly changed: boolean;
}

/**
 * Lets the next key sign from now on. With `from`, the id of the key that signs now, a rotation is safe to repeat:
 * nothing changes if that key was active before, and of several at once one rotates. Without it, one does of those that
 * have read the same keys. In a store without keys the first ones are made, and that is all. Refuses with
 * `signing_key_not_found` for a `from` that was never active, and with `changed_meanwhile` at the deadline.
 */
export type RotateSigningKeys = (from: string | null, call: Call) => Promise<SigningKeyRotation>;

export function rotateSigningKeys(
  keys: SigningKeys,
  makeKeys: MakeSigningKeys,
  newKey: NewSigningKey,
): RotateSigningKeys {
  const rotateFrom = (kid: string, read: KeyRing | null, call: Call): Promise<SigningKeyRotation> => {
    let ring = read;
    return untilStored(call, async () => {
      if (ring === null || !wasActive(ring, kid)) throw new Refusal('signing_key_not_found');
      if (ring.active.kid !== kid) return rotation(ring, false);
      const next = rotated(ring, newKey, call.now);
      if ((await keys.replace(next, call)).kind === 'replaced') return rotation(next, true);
      ring = await keys.read(call);
      return 'stale';
    });
  };
  return async (from, call) => {
    if (from !== null) return rotateFrom(from, await keys.read(call), call);
    const { ring, kind } = await makeKeys(call);
    // The caller means the key that is active now, even if another rotation comes first.
    return kind === 'found' ? rotateFrom(ring.active.kid, ring, call) : rotation(ring, kind === 'made');
  };
}

function rotation(ring: KeyRing, changed: boolean): SigningKeyRotation {
  return { keys: keysIn(ring).map(viewOf), changed };
}

/** A revoked key, and whether this call has revoked it. */
export interface SigningKeyRevocation {
  readonly key: SigningKeyView;
  readonly changed: boolean;
}

/**
 * Takes a key out of the published ones. Revoking the active key rotates first, and revoking the next one makes another.
 * Revoking a key again changes nothing. Refuses with `signing_key_not_found`, and with `changed_meanwhile` at the deadline.
 */
export type RevokeSigningKey = (kid: string, call: Call) => Promise<SigningKeyRevocation>;

export function revokeSigningKey(keys: SigningKeys, newKey: NewSigningKey): RevokeSigningKey {
  return (kid, call) =>
    untilStored(call, async () => {
      const ring = await keys.read(call);
      if (ring === null) throw new Refusal('signing_key_not_found');
      const next = revokedIn(ring, kid, newKey, call.now);
      if (next === ring) return revocation(ring, kid, false);
      const outcome = await keys.replace(next, call);
      return outcome.kind === 'replaced' ? revocation(next, kid, true) : 'stale';
    });
}

function revocation(ring: KeyRing, kid: string, changed: boolean): SigningKeyRevocation {
  const key = keysIn(ring).find((one) => one.kid === kid);
  if (key === undefined) throw new Refusal('signing_key_not_found');
  return { key: viewOf(key), changed };
}
