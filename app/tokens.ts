import type { ServiceIdentifier } from 'inversify';
import type { AllAppKeys } from '../core/access/all-app-keys.port.ts';
import type { AppKeys } from '../core/access/app-keys.port.ts';
import type { Authenticate } from '../core/access/authenticate.ts';
import type { AllEntitlements } from '../core/entitlement/all-entitlements.port.ts';
import type { ChangeCancellation } from '../core/entitlement/change-cancellation.ts';
import type { Entitlements } from '../core/entitlement/entitlements.port.ts';
import type { ReadEntitlement } from '../core/entitlement/read-entitlement.ts';
import type { IdempotencyRecords } from '../core/idempotency/idempotency-records.port.ts';
import type { Licenses } from '../core/license/licenses.port.ts';
import type { VerifyLicense } from '../core/license/verify-license.ts';
import type { Products } from '../core/product/products.port.ts';
import type { Crc32, Digest, RandomBytes } from '../core/secret.ts';

function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}

/** What the container knows. Ports are bound by the module of the store, everything else by `container.ts`. */
export const tokens = {
  allAppKeys: token<AllAppKeys>('AllAppKeys'),
  allEntitlements: token<AllEntitlements>('AllEntitlements'),
  appKeys: token<AppKeys>('AppKeys'),
  entitlements: token<Entitlements>('Entitlements'),
  idempotencyRecords: token<IdempotencyRecords>('IdempotencyRecords'),
  licenses: token<Licenses>('Licenses'),
  products: token<Products>('Products'),

  crc32: token<Crc32>('Crc32'),
  digest: token<Digest>('Digest'),
  randomBytes: token<RandomBytes>('RandomBytes'),

  authenticate: token<Authenticate>('authenticate'),
  changeCancellation: token<ChangeCancellation>('changeCancellation'),
  readEntitlement: token<ReadEntitlement>('readEntitlement'),
  verifyLicense: token<VerifyLicense>('verifyLicense'),
} as const;
