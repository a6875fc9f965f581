import type { Retention } from '../../core/entitlement/idempotency/retention.ts';
import { SharedRetention } from '../../core/entitlement/idempotency/shared-retention.ts';
import type { OpenOptions, Store } from '../../core/store/store.port.ts';
import { MemoryAffiliates } from './affiliate/memory-affiliates.ts';
import { MemoryPromotions } from './affiliate/memory-promotions.ts';
import { MemorySales } from './affiliate/memory-sales.ts';
import { MemoryStatements } from './affiliate/memory-statements.ts';
import { MemoryLicenseSecrets } from './billing/memory-license-secrets.ts';
import { MemoryPriceMap } from './billing/memory-price-map.ts';
import { MemoryStripeCases } from './billing/memory-stripe-cases.ts';
import { MemoryStore } from './data/memory-store.ts';
import { MemoryDueEntitlements } from './event/memory-due-entitlements.ts';
import { MemoryEvents } from './event/memory-events.ts';
import { MemoryAllEntitlements, MemoryEntitlementHistory } from './memory-all-entitlements.ts';
import { MemoryBuyerLinks } from './memory-buyer-links.ts';
import { MemoryClockMarks } from './memory-clock-marks.ts';
import { MemoryDevices } from './memory-devices.ts';
import { MemoryEntitlements, MemoryLicenses } from './memory-entitlements.ts';
import { MemoryIdempotencyRecords, MemoryRetentionPromises } from './memory-idempotency.ts';
import { MemoryAllKeys, MemoryKeys } from './memory-keys.ts';
import { MemoryListSizes } from './memory-list-sizes.ts';
import { MemoryAllListings, MemoryListings } from './memory-listings.ts';
import { MemoryMaintenance } from './memory-maintenance.ts';
import { MemoryOperatorSessions } from './memory-operator-sessions.ts';
import { MemoryProducts } from './memory-products.ts';
import { MemoryWaitlist } from './memory-waitlist.ts';
import { MemorySigningKeys } from './receipt/memory-signing-keys.ts';
import { MemoryTiers } from './tier/memory-tiers.ts';
import { MemoryTrials } from './tier/memory-trials.ts';
import { MemoryDeliveryStreams } from './webhook/memory-delivery-streams.ts';
import { MemoryWebhookEndpoints } from './webhook/memory-webhook-endpoints.ts';

/** Opens a store that ends with the process. */
export function openMemoryStore(
  own: Retention,
  store = new MemoryStore(),
  { serves = false }: Pick<OpenOptions, 'serves'> = {},
): Store {
  const marks = new MemoryClockMarks(store);
  const retention = new SharedRetention(own, new MemoryRetentionPromises(store), marks, { isPromised: serves });
  const allEntitlements = new MemoryAllEntitlements(store);
  return {
    ports: {
      affiliates: new MemoryAffiliates(store),
      allAppKeys: new MemoryAllKeys(store.appKeys),
      allEntitlements,
      allListings: new MemoryAllListings(store),
      allOperatorKeys: new MemoryAllKeys(store.operatorKeys),
      appKeys: new MemoryKeys(store.appKeys),
      clockMarks: marks,
      dueEntitlements: new MemoryDueEntitlements(store),
      devices: new MemoryDevices(store),
      deliveryStreams: new MemoryDeliveryStreams(store),
      entitlementHistory: new MemoryEntitlementHistory(store),
      entitlements: new MemoryEntitlements(store, retention),
      events: new MemoryEvents(store),
      idempotencyRecords: new MemoryIdempotencyRecords(store, retention),
      licenses: new MemoryLicenses(store),
      licenseMoves: allEntitlements,
      licenseSecrets: new MemoryLicenseSecrets(store),
      listings: new MemoryListings(store),
      listSizes: new MemoryListSizes(store),
      maintenance: new MemoryMaintenance(store, retention),
      operatorKeys: new MemoryKeys(store.operatorKeys),
      buyerLinks: new MemoryBuyerLinks(store),
      operatorSessions: new MemoryOperatorSessions(store),
      priceMap: new MemoryPriceMap(store),
      products: new MemoryProducts(store),
      promotions: new MemoryPromotions(store),
      sales: new MemorySales(store),
      statements: new MemoryStatements(store),
      signingKeys: new MemorySigningKeys(store),
      stripeCases: new MemoryStripeCases(store),
      tiers: new MemoryTiers(store),
      trials: new MemoryTrials(store),
      waitlist: new MemoryWaitlist(store),
      webhookEndpoints: new MemoryWebhookEndpoints(store),
    },
    archive: null,
    background: [],
    description: 'memory: nothing outlives the process',
    ready: async () => true,
    close: async () => {},
  };
}
