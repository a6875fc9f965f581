import type { Call } from '../call.ts';
import { untilStored } from '../compare-and-set.ts';
import { firstRing, type KeyRing } from './key-ring.ts';
import type { NewSigningKey } from './signing-key.ts';
import type { SigningKeys } from './signing-keys.port.ts';

/** The keys of a store, and whether they were there before the call. If not, another may have made them first. */
export interface MadeKeys {
  readonly ring: KeyRing;
  readonly kind: 'found' | 'made' | 'made by another';
}

/** Reads the signing keys, and makes the first ones if there are none. Of several processes at once, one makes them. */
export type MakeSigningKeys = (call: Call) => Promise<MadeKeys>;

export function makeSigningKeys(keys: SigningKeys, newKey: NewSigningKey): MakeSigningKeys {
  return (call) => {
    let kind: MadeKeys['kind'] = 'found';
    return untilStored(call, async () => {
      const stored = await keys.read(call);
      if (stored !== null) return { ring: stored, kind };
      const ring = firstRing(newKey, call.now);
      if ((await keys.replace(ring, call)).kind === 'replaced') return { ring, kind: 'made' };
      kind = 'made by another';
      return 'stale';
    });
  };
}
