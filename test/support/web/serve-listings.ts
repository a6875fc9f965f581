import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall } from '../builders.ts';
import { TestService, type ServiceOptions } from '../http/test-service.ts';

/** Starts a service, in memory, that has these listings from its first answer on. */
export async function serveListings(listings: readonly Listing[], options: ServiceOptions = {}): Promise<TestService> {
  const store = openMemoryStore(retentionFor(defaultTtl));
  await store.ports.listings.put(listings, aCall());
  return TestService.start(store, options);
}
