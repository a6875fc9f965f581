/**
 * Requests a minute by operation id: of one client address or, for operations that need a key, of one product or operator key.
 * Operations without an entry are not limited. `merchants` counts all requests with operator keys that are limited to
 * products, by the first product of the key.
 */
export type RateLimits = Readonly<Record<string, number>>;

/** Generous to people and servers, but slow for guessing license keys and flooding the waitlist. */
export const defaultRateLimits: RateLimits = {
  listListings: 600,
  getListing: 600,
  joinWaitlist: 10,
  showMarketplace: 600,
  showListing: 600,
  showStorefront: 600,
  followSaleLink: 600,
  joinByForm: 10,
  verifyLicense: 60,
  issueReceipt: 60,
  startTrial: 60,
  activateDevice: 60,
  deactivateDevice: 60,
  listLicenseDevices: 60,
  showLicense: 60,
  issueBuyersReceipt: 60,
  releaseBuyersDevice: 60,
  getEntitlement: 3000,
  listEvents: 600,
  cancelEntitlement: 600,
  resumeEntitlement: 600,
  merchants: 600,
  createEntitlementLink: 600,
  endEntitlementLinks: 600,
};
