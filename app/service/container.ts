import { Container } from 'inversify';
import { addInterval } from '../../adapters/calendar/utc-calendar.ts';
import { CatalogIndex } from '../../adapters/catalog-index/catalog-index.ts';
import { crc32, digest, randomBytes, randomIds } from '../../adapters/crypto/node-secrets.ts';
import { weakEtag } from '../../adapters/http/etag.ts';
import { catalogRenderer } from '../../adapters/http/operations/listing-views.ts';
import { authenticate } from '../../core/access/authenticate.ts';
import { authorize } from '../../core/access/authorize.ts';
import { pauseListing, publishListing } from '../../core/catalog/change-listing-state.ts';
import { dryRunOfListings, importListings } from '../../core/catalog/import-listings.ts';
import { issueAppKey } from '../../core/access/issue-app-key.ts';
import { listAppKeys } from '../../core/access/list-app-keys.ts';
import { newAppKey } from '../../core/access/new-app-key.ts';
import { revokeAppKey } from '../../core/access/revoke-app-key.ts';
import { rotateAppKey } from '../../core/access/rotate-app-key.ts';
import { administerEntitlement } from '../../core/entitlement/administration/administer-entitlement.ts';
import { changeCancellation } from '../../core/entitlement/merchant/change-cancellation.ts';
import { grantEntitlement } from '../../core/entitlement/administration/grant-entitlement.ts';
import { dryRunOfEntitlements, importEntitlements } from '../../core/entitlement/administration/import-entitlements.ts';
import { listEntitlements } from '../../core/entitlement/administration/list-entitlements.ts';
import { readEntitlement } from '../../core/entitlement/merchant/read-entitlement.ts';
import { showEntitlement } from '../../core/entitlement/administration/show-entitlement.ts';
import { findByLicenseKey } from '../../core/entitlement/license/find-by-license-key.ts';
import { makeLicense } from '../../core/license/new-license.ts';
import { revokeLicense } from '../../core/entitlement/license/revoke-license.ts';
import { rotateLicense } from '../../core/entitlement/license/rotate-license.ts';
import { verifyLicense } from '../../core/entitlement/license/verify-license.ts';
import { backUpStore } from '../../core/maintenance/back-up-store.ts';
import { pruneStore } from '../../core/maintenance/prune-store.ts';
import { addProduct } from '../../core/product/add-product.ts';
import { listProducts } from '../../core/product/list-products.ts';
import { joinWaitlist } from '../../core/waitlist/join-waitlist.ts';
import type { Store } from '../stores/store.ts';
import { tokens as t } from './tokens.ts';

/** Wires the use cases to an open store. */
export function createContainer(store: Store): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(store.module);
  bindFunctions(container);
  bindRequests(container);
  bindCommands(container);
  return container;
}

/** What core takes as functions from outside. */
function bindFunctions(container: Container): void {
  container.bind(t.addInterval).toConstantValue(addInterval);
  container.bind(t.crc32).toConstantValue(crc32);
  container.bind(t.digest).toConstantValue(digest);
  container.bind(t.newAppKeyId).toConstantValue(randomIds('key_'));
  container.bind(t.newEntitlementId).toConstantValue(randomIds('ent_'));
  container.bind(t.newListingId).toConstantValue(randomIds('lst_'));
  container.bind(t.randomBytes).toConstantValue(randomBytes);
}

/** The use cases behind HTTP. */
function bindRequests(container: Container): void {
  container.bind(t.authenticate).toResolvedValue(authenticate, [t.appKeys, t.digest, t.crc32]);
  container.bind(t.authorize).toResolvedValue(authorize, [t.appKeys]);
  container
    .bind(t.catalogIndex)
    .toResolvedValue((listings) => new CatalogIndex(listings, catalogRenderer, weakEtag), [t.listings]);
  container.bind(t.changeCancellation).toResolvedValue(changeCancellation, [t.entitlements, t.idempotencyRecords]);
  container.bind(t.joinWaitlist).toResolvedValue(joinWaitlist, [t.waitlist]);
  container.bind(t.readEntitlement).toResolvedValue(readEntitlement, [t.entitlements]);
  container.bind(t.verifyLicense).toResolvedValue(verifyLicense, [t.licenses, t.digest]);
}

/** The use cases behind the command line. */
function bindCommands(container: Container): void {
  container.bind(t.newAppKey).toResolvedValue(newAppKey, [t.newAppKeyId, t.randomBytes, t.crc32, t.digest]);
  container.bind(t.makeLicense).toResolvedValue(makeLicense, [t.randomBytes, t.digest]);
  container.bind(t.backUpStore).toResolvedValue(backUpStore, [t.maintenance]);
  container.bind(t.pruneStore).toResolvedValue(pruneStore, [t.maintenance]);
  container.bind(t.addProduct).toResolvedValue(addProduct, [t.products]);
  container.bind(t.listProducts).toResolvedValue(listProducts, [t.products]);
  container.bind(t.issueAppKey).toResolvedValue(issueAppKey, [t.products, t.allAppKeys, t.newAppKey]);
  container.bind(t.listAppKeys).toResolvedValue(listAppKeys, [t.allAppKeys]);
  container.bind(t.revokeAppKey).toResolvedValue(revokeAppKey, [t.allAppKeys]);
  container.bind(t.rotateAppKey).toResolvedValue(rotateAppKey, [t.allAppKeys, t.newAppKey]);
  container
    .bind(t.grantEntitlement)
    .toResolvedValue(grantEntitlement, [
      t.products,
      t.allEntitlements,
      t.newEntitlementId,
      t.makeLicense,
      t.addInterval,
    ]);
  container
    .bind(t.importEntitlements)
    .toResolvedValue(importEntitlements, [t.products, t.allEntitlements, t.makeLicense, t.addInterval]);
  container
    .bind(t.dryRunOfEntitlements)
    .toResolvedValue(dryRunOfEntitlements, [t.products, t.allEntitlements, t.makeLicense, t.addInterval]);
  container.bind(t.administerEntitlement).toResolvedValue(administerEntitlement, [t.allEntitlements]);
  container.bind(t.listEntitlements).toResolvedValue(listEntitlements, [t.allEntitlements]);
  container.bind(t.showEntitlement).toResolvedValue(showEntitlement, [t.allEntitlements]);
  container.bind(t.importListings).toResolvedValue(importListings, [t.listings, t.newListingId]);
  container.bind(t.dryRunOfListings).toResolvedValue(dryRunOfListings, [t.listings, t.newListingId]);
  container.bind(t.pauseListing).toResolvedValue(pauseListing, [t.listings]);
  container.bind(t.publishListing).toResolvedValue(publishListing, [t.listings]);
  container.bind(t.findByLicenseKey).toResolvedValue(findByLicenseKey, [t.allEntitlements, t.digest]);
  container.bind(t.rotateLicense).toResolvedValue(rotateLicense, [t.allEntitlements, t.makeLicense]);
  container.bind(t.revokeLicense).toResolvedValue(revokeLicense, [t.allEntitlements]);
}
