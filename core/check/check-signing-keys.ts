import type { NewCall } from '../call.ts';
import { keysIn, type KeyRing } from '../receipt/key-ring.ts';
import { thumbprint } from '../receipt/signing-key.ts';
import type { SigningKeys } from '../receipt/signing-keys.port.ts';
import type { Digest } from '../secret.ts';
import type { EventFaults } from './event-faults.ts';

/** 32 bytes, base64url. */
const coordinate = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** Checks that every signing key is whole, and goes by its own name. Returns how many there are. */
export async function checkSigningKeys(
  keys: Pick<SigningKeys, 'read'>,
  digest: Digest,
  faults: EventFaults,
  newCall: NewCall,
): Promise<number> {
  const ring = await keys.read(newCall());
  if (ring === null) return 0;
  for (const message of faultsOf(ring, digest)) faults.add(message);
  return keysIn(ring).length;
}

function faultsOf(ring: KeyRing, digest: Digest): readonly string[] {
  const all = keysIn(ring);
  const kids = all.map(({ kid }) => kid);
  return [
    ...all.filter((key) => thumbprint(key, digest) !== key.kid).map(({ kid }) => `Signing key ${kid} is another key.`),
    ...kids.filter((kid, index) => kids.indexOf(kid) !== index).map((kid) => `Signing key ${kid} is there twice.`),
    ...[ring.active, ring.next]
      .filter(({ d }) => !coordinate.test(d))
      .map(({ kid }) => `Signing key ${kid} has no private half.`),
    ...ring.past.filter((key) => 'd' in key).map(({ kid }) => `Signing key ${kid} still has its private half.`),
  ];
}
