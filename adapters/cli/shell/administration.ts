import type { IssueAppKey } from '../../../core/access/issue-app-key.ts';
import type { ListAppKeys } from '../../../core/access/list-app-keys.ts';
import type { RevokeAppKey } from '../../../core/access/revoke-app-key.ts';
import type { RotateAppKey } from '../../../core/access/rotate-app-key.ts';
import type { ChangeListingState } from '../../../core/catalog/change-listing-state.ts';
import type { DryRunOfListings, ImportListings } from '../../../core/catalog/import-listings.ts';
import type { Listings } from '../../../core/catalog/listings.port.ts';
import type { AdministerEntitlement } from '../../../core/entitlement/administration/administer-entitlement.ts';
import type { GrantEntitlement } from '../../../core/entitlement/administration/grant-entitlement.ts';
import type {
  DryRunOfEntitlements,
  ImportEntitlements,
} from '../../../core/entitlement/administration/import-entitlements.ts';
import type { ListEntitlements } from '../../../core/entitlement/administration/list-entitlements.ts';
import type { ShowEntitlement } from '../../../core/entitlement/administration/show-entitlement.ts';
import type { FindByLicenseKey } from '../../../core/entitlement/license/find-by-license-key.ts';
import type { RevokeLicense } from '../../../core/entitlement/license/revoke-license.ts';
import type { RotateLicense } from '../../../core/entitlement/license/rotate-license.ts';
import type { BackUpStore } from '../../../core/maintenance/back-up-store.ts';
import type { Maintenance } from '../../../core/maintenance/maintenance.port.ts';
import type { PruneStore } from '../../../core/maintenance/prune-store.ts';
import type { AddProduct } from '../../../core/product/add-product.ts';
import type { ListProducts } from '../../../core/product/list-products.ts';
import type { Waitlist } from '../../../core/waitlist/waitlist.port.ts';

/** What an administrator can do with one open store. */
export interface Administration {
  readonly addProduct: AddProduct;
  readonly listProducts: ListProducts;
  readonly issueAppKey: IssueAppKey;
  readonly listAppKeys: ListAppKeys;
  readonly revokeAppKey: RevokeAppKey;
  readonly rotateAppKey: RotateAppKey;
  readonly grantEntitlement: GrantEntitlement;
  readonly importEntitlements: ImportEntitlements;
  readonly dryRunOfEntitlements: DryRunOfEntitlements;
  readonly showEntitlement: ShowEntitlement;
  readonly listEntitlements: ListEntitlements;
  readonly administerEntitlement: AdministerEntitlement;
  readonly rotateLicense: RotateLicense;
  readonly revokeLicense: RevokeLicense;
  readonly findByLicenseKey: FindByLicenseKey;
  readonly importListings: ImportListings;
  readonly dryRunOfListings: DryRunOfListings;
  readonly listListings: Listings['list'];
  readonly pauseListing: ChangeListingState;
  readonly publishListing: ChangeListingState;
  readonly listWaitlist: Waitlist['list'];
  readonly eraseFromWaitlist: Waitlist['erase'];
  readonly checkStore: Maintenance['check'];
  readonly backUpStore: BackUpStore;
  readonly pruneStore: PruneStore;
  /** Gives the store back. Nothing may be under way any more. */
  close(): Promise<void>;
}
