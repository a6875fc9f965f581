import { revokeSigningKey, rotateSigningKeys } from '../../receipt/change-signing-keys.ts';
import { exportSigningKeys, listSigningKeys } from '../../receipt/list-signing-keys.ts';
import { makeSigningKeys } from '../../receipt/make-signing-keys.ts';
import { newSigningKey } from '../../receipt/signing-key.ts';
import { ofService } from '../../tenant/limits.ts';
import type { Parts } from './parts.ts';

/** Keys that sign receipts. */
export function signingKeysOf({ ports: { signingKeys: keys }, platform: { digest, newKeyPair } }: Parts) {
  const newSigner = newSigningKey(newKeyPair, digest);
  const makeKeys = makeSigningKeys(keys, newSigner);
  return ofService({
    makeSigningKeys: makeKeys,
    listSigningKeys: listSigningKeys(keys),
    exportSigningKeys: exportSigningKeys(makeKeys),
    rotateSigningKeys: rotateSigningKeys(keys, makeKeys, newSigner),
    revokeSigningKey: revokeSigningKey(keys, newSigner),
  });
}
