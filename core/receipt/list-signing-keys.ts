import type { Call } from '../call.ts';
import { madeKeys } from './issue-receipt.ts';
import type { KeptSigningKeys } from './kept-signing-keys.ts';
import { keysIn, publishedIn } from './key-ring.ts';
import type { MakeSigningKeys } from './make-signing-keys.ts';
import { viewOf, type PublishedKeys, type SigningKeyView } from './signing-key.ts';
import type { SigningKeys } from './signing-keys.port.ts';

/** All keys, the active one first, then the next one, then the last one that was. None where none were made. */
export type ListSigningKeys = (call: Call) => Promise<readonly SigningKeyView[]>;

export function listSigningKeys(keys: SigningKeys): ListSigningKeys {
  return async (call) => {
    const ring = await keys.read(call);
    return ring === null ? [] : keysIn(ring).map(viewOf);
  };
}

/** The keys that apps may trust, as the store has them now. Makes the signing keys if there are none. */
export type ExportSigningKeys = (call: Call) => Promise<PublishedKeys>;

export function exportSigningKeys(makeKeys: MakeSigningKeys): ExportSigningKeys {
  return async (call) => publishedIn((await makeKeys(call)).ring, call.now);
}

/**
 * The keys that apps may trust, as this process knows them: at most ten seconds old. Writes nothing. Refuses with
 * `store_unavailable` where they cannot be read or were not made.
 */
export type ReadPublishedKeys = (call: Call) => Promise<PublishedKeys>;

export function readPublishedKeys(keys: Pick<KeptSigningKeys, 'known'>): ReadPublishedKeys {
  return async (call) => publishedIn(madeKeys(await keys.known(call)), call.now);
}
