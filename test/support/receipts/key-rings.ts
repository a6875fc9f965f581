import { digest, seededBytes } from '../../../adapters/crypto/node-secrets.ts';
import { keyPairs } from '../../../adapters/crypto/signing.ts';
import { firstRing, noted, revokedIn, rotated, type KeyRing } from '../../../core/receipt/key-ring.ts';
import { newSigningKey, type NewSigningKey } from '../../../core/receipt/signing-key.ts';
import { day, later, noon } from '../builders.ts';

/** Makes signing keys that are the same in every run. */
export function signingKeysOf(seed: string): NewSigningKey {
  return newSigningKey(keyPairs(seededBytes(seed)), digest);
}

/** Keys to which nothing has happened. */
export function aFreshRing(seed = 'keys of a test'): KeyRing {
  return firstRing(signingKeysOf(seed), noon);
}

/** Keys in every state: two that are retired, one that signs offline receipts, and two that are revoked. */
export function aKeyRing(seed = 'keys of a test'): KeyRing {
  const newKey = signingKeysOf(seed);
  let ring = noted(firstRing(newKey, noon), later(400 * day));
  for (const days of [1, 2, 3]) ring = rotated(ring, newKey, later(days * day));
  ring = revokedIn(ring, ring.past[1]?.kid ?? '', newKey, later(4 * day));
  ring = revokedIn(ring, ring.next.kid, newKey, later(5 * day));
  return noted(ring, later(500 * day));
}
