import type { NewCall } from '../call.ts';
import { keysIn, type KeyRing } from '../receipt/key-ring.ts';
import { thumbprint, type PublicPartOf } from '../receipt/signing-key.ts';
import type { SigningKeys } from '../receipt/signing-keys.port.ts';
import type { Digest } from '../secret.ts';
import type { EventFaults } from './event-faults.ts';

/** 32 bytes, base64url. */
const coordinate = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/**
 * Checks that every signing key is whole, with halves that belong together, and goes by its own name. Returns how many
 * there are.
 */
export async function checkSigningKeys(
  keys: Pick<SigningKeys, 'read'>,
  digest: Digest,
  publicPartOf: PublicPartOf,
  faults: EventFaults,
  newCall: NewCall,
): Promise<number> {
  const ring = await keys.read(newCall());
  if (ring === null) return 0;
  for (const message of faultsOf(ring, digest, publicPartOf)) faults.add(message);
  return keysIn(ring).length;
}

function faultsOf(ring: KeyRing, digest: Digest, publicPartOf: PublicPartOf): readonly string[] {
  const all = keysIn(ring);
  const kids = all.map(({ kid }) => kid);
  return [
    ...all.filter((key) => thumbprint(key, digest) !== key.kid).map(({ kid }) => `Signing key ${kid} is another key.`),
    ...kids.filter((kid, index) => kids.indexOf(kid) !== index).map((kid) => `Signing key ${kid} is there twice.`),
    ...[ring.active, ring.next].flatMap(({ kid, d }) => {
      const publicPart = coordinate.test(d) ? publicPartOf(d) : null;
      if (publicPart === null) return [`Signing key ${kid} has no private half.`];
      return thumbprint(publicPart, digest) === kid ? [] : [`Signing key ${kid} has the private half of another key.`];
    }),
    ...ring.past.filter((key) => 'd' in key).map(({ kid }) => `Signing key ${kid} still has its private half.`),
  ];
}
