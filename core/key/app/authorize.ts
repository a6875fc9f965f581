import { authorizeKey, type AuthorizeKey } from '../authorize-key.ts';
import type { AppKeys } from './app-keys.port.ts';
import type { Scope } from './scope.ts';

/** Checks that an app key has a scope, and records its use at most once a minute. Refuses with `insufficient_scope`. */
export type Authorize = AuthorizeKey<Scope>;

export function authorize(appKeys: AppKeys): Authorize {
  return authorizeKey(appKeys);
}
