import type { ServiceIdentifier } from 'inversify';
import type { AllAppKeys } from '../../core/access/all-app-keys.port.ts';
import type { AppKeys } from '../../core/access/app-keys.port.ts';
import type { Authenticate } from '../../core/access/authenticate.ts';
import type { Authorize } from '../../core/access/authorize.ts';
import type { IssueAppKey } from '../../core/access/issue-app-key.ts';
import type { ListAppKeys } from '../../core/access/list-app-keys.ts';
import type { NewAppKey } from '../../core/access/new-app-key.ts';
import type { RevokeAppKey } from '../../core/access/revoke-app-key.ts';
import type { RotateAppKey } from '../../core/access/rotate-app-key.ts';
import type { AddInterval } from '../../core/entitlement/add-interval.ts';
import type { ChangeListingState } from '../../core/catalog/change-listing-state.ts';
import type { DryRunOfListings, ImportListings } from '../../core/catalog/import-listings.ts';
import type { Listings } from '../../core/catalog/listings.port.ts';
import type { AdministerEntitlement } from '../../core/entitlement/administration/administer-entitlement.ts';
import type { AllEntitlements } from '../../core/entitlement/administration/all-entitlements.port.ts';
import type { ChangeCancellation } from '../../core/entitlement/merchant/change-cancellation.ts';
import type { Entitlements } from '../../core/entitlement/merchant/entitlements.port.ts';
import type { GrantEntitlement } from '../../core/entitlement/administration/grant-entitlement.ts';
import type {
  DryRunOfEntitlements,
  ImportEntitlements,
} from '../../core/entitlement/administration/import-entitlements.ts';
import type { ListEntitlements } from '../../core/entitlement/administration/list-entitlements.ts';
import type { ReadEntitlement } from '../../core/entitlement/merchant/read-entitlement.ts';
import type { ShowEntitlement } from '../../core/entitlement/administration/show-entitlement.ts';
import type { IdempotencyRecords } from '../../core/entitlement/idempotency/idempotency-records.port.ts';
import type { NewId } from '../../core/identifier.ts';
import type { FindByLicenseKey } from '../../core/entitlement/license/find-by-license-key.ts';
import type { Licenses } from '../../core/entitlement/license/licenses.port.ts';
import type { MakeLicense } from '../../core/license/new-license.ts';
import type { RevokeLicense } from '../../core/entitlement/license/revoke-license.ts';
import type { RotateLicense } from '../../core/entitlement/license/rotate-license.ts';
import type { VerifyLicense } from '../../core/entitlement/license/verify-license.ts';
import type { BackUpStore } from '../../core/maintenance/back-up-store.ts';
import type { Maintenance } from '../../core/maintenance/maintenance.port.ts';
import type { PruneStore } from '../../core/maintenance/prune-store.ts';
import type { AddProduct } from '../../core/product/add-product.ts';
import type { ListProducts } from '../../core/product/list-products.ts';
import type { Products } from '../../core/product/products.port.ts';
import type { Crc32, Digest, RandomBytes } from '../../core/secret.ts';
import type { JoinWaitlist } from '../../core/waitlist/join-waitlist.ts';
import type { Waitlist } from '../../core/waitlist/waitlist.port.ts';
import type { CatalogIndex } from '../../adapters/catalog-index/catalog-index.ts';

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
  listings: token<Listings>('Listings'),
  maintenance: token<Maintenance>('Maintenance'),
  products: token<Products>('Products'),
  waitlist: token<Waitlist>('Waitlist'),

  addInterval: token<AddInterval>('AddInterval'),
  crc32: token<Crc32>('Crc32'),
  digest: token<Digest>('Digest'),
  newAppKeyId: token<NewId>('NewId of an app key'),
  catalogIndex: token<CatalogIndex>('CatalogIndex'),
  newListingId: token<NewId>('NewId of a listing'),
  newEntitlementId: token<NewId>('NewId of an entitlement'),
  randomBytes: token<RandomBytes>('RandomBytes'),

  authenticate: token<Authenticate>('authenticate'),
  authorize: token<Authorize>('authorize'),
  changeCancellation: token<ChangeCancellation>('changeCancellation'),
  joinWaitlist: token<JoinWaitlist>('joinWaitlist'),
  readEntitlement: token<ReadEntitlement>('readEntitlement'),
  verifyLicense: token<VerifyLicense>('verifyLicense'),

  addProduct: token<AddProduct>('addProduct'),
  administerEntitlement: token<AdministerEntitlement>('administerEntitlement'),
  backUpStore: token<BackUpStore>('backUpStore'),
  dryRunOfEntitlements: token<DryRunOfEntitlements>('dryRunOfEntitlements'),
  dryRunOfListings: token<DryRunOfListings>('dryRunOfListings'),
  findByLicenseKey: token<FindByLicenseKey>('findByLicenseKey'),
  grantEntitlement: token<GrantEntitlement>('grantEntitlement'),
  importEntitlements: token<ImportEntitlements>('importEntitlements'),
  importListings: token<ImportListings>('importListings'),
  issueAppKey: token<IssueAppKey>('issueAppKey'),
  listAppKeys: token<ListAppKeys>('listAppKeys'),
  listEntitlements: token<ListEntitlements>('listEntitlements'),
  listProducts: token<ListProducts>('listProducts'),
  makeLicense: token<MakeLicense>('makeLicense'),
  newAppKey: token<NewAppKey>('newAppKey'),
  pauseListing: token<ChangeListingState>('pauseListing'),
  publishListing: token<ChangeListingState>('publishListing'),
  pruneStore: token<PruneStore>('pruneStore'),
  revokeAppKey: token<RevokeAppKey>('revokeAppKey'),
  revokeLicense: token<RevokeLicense>('revokeLicense'),
  rotateAppKey: token<RotateAppKey>('rotateAppKey'),
  rotateLicense: token<RotateLicense>('rotateLicense'),
  showEntitlement: token<ShowEntitlement>('showEntitlement'),
} as const;
