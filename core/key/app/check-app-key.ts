import type { Crc32, Digest } from '../../secret.ts';
import { authenticateKey, authorizeKey, type AuthenticateKey, type AuthorizeKey } from '../check-key.ts';
import { appKeyKind, type AppKey, type Scope } from './app-key.ts';
import type { AppKeys } from './app-keys.port.ts';

/** Finds the usable app key that was presented. Refuses with `invalid_app_key`, as `AuthenticateKey` describes. */
export type Authenticate = AuthenticateKey<AppKey>;

export function authenticate(appKeys: AppKeys, digest: Digest, crc32: Crc32): Authenticate {
  return authenticateKey(appKeyKind, appKeys, digest, crc32);
}

/** Checks that an app key has a scope, and records its use at most once a minute. Refuses with `insufficient_scope`. */
export type Authorize = AuthorizeKey<Scope>;

export function authorize(appKeys: AppKeys): Authorize {
  return authorizeKey(appKeys);
}
