import { keyKind } from '../key-kind.ts';
import type { KeyTerms, StoredKey } from '../stored-key.ts';
import type { Scope } from './scope.ts';

/** What the administrator decides about a new app key. */
export interface AppKeyTerms extends KeyTerms<Scope> {
  readonly productId: string;
}

/** The credential of a product's server. */
export interface AppKey extends AppKeyTerms, StoredKey<Scope> {}

/** App keys begin with `svc_sk_live_` (specification, section 5). */
export const appKeyKind = keyKind('svc_sk_live_', {
  invalid: 'invalid_app_key',
  notFound: 'app_key_not_found',
  ended: 'app_key_ended',
  exists: 'app_key_exists',
});
