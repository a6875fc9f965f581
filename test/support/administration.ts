import { MemoryAllAppKeys } from '../../adapters/memory/memory-all-app-keys.ts';
import { MemoryAllEntitlements } from '../../adapters/memory/memory-all-entitlements.ts';
import { MemoryListings } from '../../adapters/memory/memory-listings.ts';
import { MemoryMaintenance } from '../../adapters/memory/memory-maintenance.ts';
import { MemoryProducts } from '../../adapters/memory/memory-products.ts';
import { MemoryStore } from '../../adapters/memory/memory-store.ts';
import { MemoryWaitlist } from '../../adapters/memory/memory-waitlist.ts';
import { addInterval } from '../../adapters/calendar/utc-calendar.ts';
import type { Administration } from '../../adapters/cli/shell/administration.ts';
import { crc32, digest, randomBytes, randomIds } from '../../adapters/crypto/node-secrets.ts';
import { issueAppKey } from '../../core/access/issue-app-key.ts';
import { listAppKeys } from '../../core/access/list-app-keys.ts';
import { newAppKey } from '../../core/access/new-app-key.ts';
import { revokeAppKey } from '../../core/access/revoke-app-key.ts';
import { rotateAppKey } from '../../core/access/rotate-app-key.ts';
import { pauseListing, publishListing } from '../../core/catalog/change-listing-state.ts';
import { dryRunOfListings, importListings } from '../../core/catalog/import-listings.ts';
import { administerEntitlement } from '../../core/entitlement/administration/administer-entitlement.ts';
import type { AllEntitlements } from '../../core/entitlement/administration/all-entitlements.port.ts';
import { grantEntitlement } from '../../core/entitlement/administration/grant-entitlement.ts';
import { dryRunOfEntitlements, importEntitlements } from '../../core/entitlement/administration/import-entitlements.ts';
import { listEntitlements } from '../../core/entitlement/administration/list-entitlements.ts';
import { showEntitlement } from '../../core/entitlement/administration/show-entitlement.ts';
import { findByLicenseKey } from '../../core/entitlement/license/find-by-license-key.ts';
import { makeLicense } from '../../core/license/new-license.ts';
import { revokeLicense } from '../../core/entitlement/license/revoke-license.ts';
import { rotateLicense } from '../../core/entitlement/license/rotate-license.ts';
import { backUpStore } from '../../core/maintenance/back-up-store.ts';
import { pruneStore } from '../../core/maintenance/prune-store.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import { addProduct } from '../../core/product/add-product.ts';
import { listProducts } from '../../core/product/list-products.ts';

/** The administrator's use cases over a store in memory, with real secrets and the real calendar. */
export function administrationOf(
  store: MemoryStore = new MemoryStore(),
  entitlements: AllEntitlements = new MemoryAllEntitlements(store),
): Administration {
  const products = new MemoryProducts(store);
  const appKeys = new MemoryAllAppKeys(store);
  const listings = new MemoryListings(store);
  const waitlist = new MemoryWaitlist(store);
  const maintenance = new MemoryMaintenance(store, retentionFor(defaultTtl));
  const appKey = newAppKey(randomIds('key_'), randomBytes, crc32, digest);
  const license = makeLicense(randomBytes, digest);
  return {
    addProduct: addProduct(products),
    listProducts: listProducts(products),
    issueAppKey: issueAppKey(products, appKeys, appKey),
    listAppKeys: listAppKeys(appKeys),
    revokeAppKey: revokeAppKey(appKeys),
    rotateAppKey: rotateAppKey(appKeys, appKey),
    grantEntitlement: grantEntitlement(products, entitlements, randomIds('ent_'), license, addInterval),
    importEntitlements: importEntitlements(products, entitlements, license, addInterval),
    dryRunOfEntitlements: dryRunOfEntitlements(products, entitlements, license, addInterval),
    showEntitlement: showEntitlement(entitlements),
    listEntitlements: listEntitlements(entitlements),
    administerEntitlement: administerEntitlement(entitlements),
    rotateLicense: rotateLicense(entitlements, license),
    revokeLicense: revokeLicense(entitlements),
    findByLicenseKey: findByLicenseKey(entitlements, digest),
    importListings: importListings(listings, randomIds('lst_')),
    dryRunOfListings: dryRunOfListings(listings, randomIds('lst_')),
    listListings: () => listings.list(),
    pauseListing: pauseListing(listings),
    publishListing: publishListing(listings),
    listWaitlist: () => waitlist.list(),
    eraseFromWaitlist: (email) => waitlist.erase(email),
    checkStore: () => maintenance.check(),
    backUpStore: backUpStore(maintenance),
    pruneStore: pruneStore(maintenance),
    close: async () => undefined,
  };
}
