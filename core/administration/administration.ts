import { issueAppKey } from '../access/issue-app-key.ts';
import { newAppKey } from '../access/new-app-key.ts';
import { revokeAppKey } from '../access/revoke-app-key.ts';
import { rotateAppKey } from '../access/rotate-app-key.ts';
import { pauseListing, publishListing } from '../catalog/change-listing-state.ts';
import { dryRunOfListings, importListings } from '../catalog/import-listings.ts';
import { runEntitlementCommand } from '../entitlement/administration/run-entitlement-command.ts';
import { grantEntitlement } from '../entitlement/administration/grant-entitlement.ts';
import { dryRunOfEntitlements, importEntitlements } from '../entitlement/administration/import-entitlements.ts';
import { listEntitlements } from '../entitlement/administration/list-entitlements.ts';
import { showEntitlement } from '../entitlement/administration/show-entitlement.ts';
import { findByLicenseKey } from '../entitlement/license/find-by-license-key.ts';
import { revokeLicense } from '../entitlement/license/revoke-license.ts';
import { rotateLicense } from '../entitlement/license/rotate-license.ts';
import { makeLicense } from '../license/new-license.ts';
import { backUpStore } from '../maintenance/back-up-store.ts';
import { pruneStore } from '../maintenance/prune-store.ts';
import { addProduct } from '../product/add-product.ts';
import type { StorePorts } from '../store/store.port.ts';
import type { Platform } from './platform.ts';

/** Every use case of the administrator. */
export type Administration = ReturnType<typeof administrationOf>;

/**
 * Builds the administrator's use cases over the ports of a store. Those without a rule of their own are the port's
 * methods.
 */
export function administrationOf(ports: StorePorts, platform: Platform) {
  const { allAppKeys, allEntitlements, listings, maintenance, products, waitlist } = ports;
  const { addInterval, crc32, digest, randomBytes, newAppKeyId, newEntitlementId, newListingId } = platform;
  const makeAppKey = newAppKey(newAppKeyId, randomBytes, crc32, digest);
  const license = makeLicense(randomBytes, digest);
  return {
    addProduct: addProduct(products),
    listProducts: products.list.bind(products),
    issueAppKey: issueAppKey(products, allAppKeys, makeAppKey),
    listAppKeys: allAppKeys.list.bind(allAppKeys),
    revokeAppKey: revokeAppKey(allAppKeys),
    rotateAppKey: rotateAppKey(allAppKeys, makeAppKey),
    grantEntitlement: grantEntitlement(products, allEntitlements, newEntitlementId, license, addInterval),
    importEntitlements: importEntitlements(products, allEntitlements, license, addInterval),
    dryRunOfEntitlements: dryRunOfEntitlements(products, allEntitlements, license, addInterval),
    showEntitlement: showEntitlement(allEntitlements),
    listEntitlements: listEntitlements(allEntitlements),
    runEntitlementCommand: runEntitlementCommand(allEntitlements),
    rotateLicense: rotateLicense(allEntitlements, license),
    revokeLicense: revokeLicense(allEntitlements),
    findByLicenseKey: findByLicenseKey(allEntitlements, digest),
    importListings: importListings(listings, newListingId),
    dryRunOfListings: dryRunOfListings(listings, newListingId),
    listListings: listings.list.bind(listings),
    pauseListing: pauseListing(listings),
    publishListing: publishListing(listings),
    listWaitlist: waitlist.list.bind(waitlist),
    eraseFromWaitlist: waitlist.erase.bind(waitlist),
    checkStore: maintenance.check.bind(maintenance),
    backUpStore: backUpStore(maintenance),
    pruneStore: pruneStore(maintenance),
  };
}
