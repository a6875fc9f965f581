import type { StorePorts } from '../store/store.port.ts';
import { limitedAffiliates, limitedPromotions } from './limited-affiliates.ts';
import { limitedDevices } from './limited-devices.ts';
import { limitedEntitlements, limitedHistory, limitedMoves } from './limited-entitlements.ts';
import { limitedAppKeys, limitedOperatorKeys } from './limited-keys.ts';
import { limitedAllListings, limitedListings } from './limited-listings.ts';
import {
  limitedCases,
  limitedEvents,
  limitedPrices,
  limitedProducts,
  limitedTiers,
  limitedTrials,
} from './limited-products.ts';
import { limitedSales } from './limited-sales.ts';
import { limitedSizes } from './limited-sizes.ts';
import { limitedStatements } from './limited-statements.ts';
import { limitedEndpoints, limitedStreams } from './limited-webhooks.ts';

/**
 * The ports of a store as the caller of each method may use them. To a caller that is limited to products, what another has
 * is null, an empty list, 0 or `unchanged`; a write of it is refused with `limited_key`. For any other caller they are
 * those of the store. Every port stands here, and every method of one that has something of a product is written out, so
 * that a new one does not compile undecided.
 */
export function limitedPorts(ports: StorePorts): StorePorts {
  const { allEntitlements, allListings, webhookEndpoints } = ports;
  return {
    affiliates: limitedAffiliates(ports.affiliates, ports.promotions),
    allAppKeys: limitedAppKeys(ports.allAppKeys),
    allEntitlements: limitedEntitlements(allEntitlements),
    allListings: limitedAllListings(allListings),
    allOperatorKeys: limitedOperatorKeys(ports.allOperatorKeys),
    devices: limitedDevices(ports.devices, allEntitlements),
    deliveryStreams: limitedStreams(ports.deliveryStreams, webhookEndpoints),
    entitlementHistory: limitedHistory(allEntitlements, ports.entitlementHistory),
    events: limitedEvents(ports.events),
    licenseMoves: limitedMoves(ports.licenseMoves),
    listings: limitedListings(ports.listings, allListings),
    listSizes: limitedSizes(ports.listSizes),
    priceMap: limitedPrices(ports.priceMap),
    products: limitedProducts(ports.products),
    promotions: limitedPromotions(ports.promotions),
    sales: limitedSales(ports.sales),
    statements: limitedStatements(ports.statements),
    stripeCases: limitedCases(ports.stripeCases),
    tiers: limitedTiers(ports.tiers),
    trials: limitedTrials(ports.trials),
    webhookEndpoints: limitedEndpoints(webhookEndpoints),

    // A link is made to an entitlement that was found.
    buyerLinks: ports.buyerLinks,

    // Of no use case of an operator: an app key has one product, and a session its key.
    appKeys: ports.appKeys,
    dueEntitlements: ports.dueEntitlements,
    entitlements: ports.entitlements,
    idempotencyRecords: ports.idempotencyRecords,
    licenses: ports.licenses,
    operatorKeys: ports.operatorKeys,
    operatorSessions: ports.operatorSessions,

    // Of the service as a whole: `limits` decides who may use them. A receipt for a product is signed with its keys.
    clockMarks: ports.clockMarks,
    licenseSecrets: ports.licenseSecrets,
    maintenance: ports.maintenance,
    signingKeys: ports.signingKeys,
    waitlist: ports.waitlist,
  };
}
