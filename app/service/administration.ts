import type { Administration } from '../../adapters/cli/shell/administration.ts';
import { createContainer } from './container.ts';
import type { Store } from '../stores/store.ts';
import { tokens } from './tokens.ts';

/** What the command line can do with an open store. */
export function administrationOf(store: Store): Administration {
  const container = createContainer(store);
  return {
    addProduct: container.get(tokens.addProduct),
    listProducts: container.get(tokens.listProducts),
    issueAppKey: container.get(tokens.issueAppKey),
    listAppKeys: container.get(tokens.listAppKeys),
    revokeAppKey: container.get(tokens.revokeAppKey),
    rotateAppKey: container.get(tokens.rotateAppKey),
    grantEntitlement: container.get(tokens.grantEntitlement),
    importEntitlements: container.get(tokens.importEntitlements),
    dryRunOfEntitlements: container.get(tokens.dryRunOfEntitlements),
    showEntitlement: container.get(tokens.showEntitlement),
    listEntitlements: container.get(tokens.listEntitlements),
    administerEntitlement: container.get(tokens.administerEntitlement),
    rotateLicense: container.get(tokens.rotateLicense),
    revokeLicense: container.get(tokens.revokeLicense),
    findByLicenseKey: container.get(tokens.findByLicenseKey),
    importListings: container.get(tokens.importListings),
    dryRunOfListings: container.get(tokens.dryRunOfListings),
    listListings: (newCall) => container.get(tokens.listings).list(newCall),
    pauseListing: container.get(tokens.pauseListing),
    publishListing: container.get(tokens.publishListing),
    listWaitlist: (newCall) => container.get(tokens.waitlist).list(newCall),
    eraseFromWaitlist: (email, call) => container.get(tokens.waitlist).erase(email, call),
    checkStore: (call) => container.get(tokens.maintenance).check(call),
    backUpStore: container.get(tokens.backUpStore),
    pruneStore: container.get(tokens.pruneStore),
    close: () => store.close(),
  };
}
