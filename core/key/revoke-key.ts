import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { AllKeys } from './all-keys.port.ts';
import type { KeyKind } from './key-kind.ts';
import type { StoredKey } from './stored-key.ts';

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
