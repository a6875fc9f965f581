import { keyKind } from '../key-kind.ts';
import type { KeyTerms, StoredKey } from '../stored-key.ts';

/** The uses of an app key (specification, section 5). */
export const scopes = [
  'read:listings',
  'write:waitlist',
  'read:licenses',
  'read:entitlements',
  'write:entitlements',
] as const;

export type Scope = (typeof scopes)[number];

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}

/** The administrator's terms for a new app key. */
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
