import type { Crc32, Digest } from '../../secret.ts';
import { authenticateKey, type AuthenticateKey } from '../authenticate-key.ts';
import { appKeyKind, type AppKey } from './app-key.ts';
import type { AppKeys } from './app-keys.port.ts';

/** Finds the usable app key that was presented. Refuses with `invalid_app_key`, as `AuthenticateKey` describes. */
export type Authenticate = AuthenticateKey<AppKey>;

export function authenticate(appKeys: AppKeys, digest: Digest, crc32: Crc32): Authenticate {
  return authenticateKey(appKeyKind, appKeys, digest, crc32);
}
