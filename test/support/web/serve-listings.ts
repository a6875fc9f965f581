import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { TestService, type ServiceOptions } from '../http/test-service.ts';
import { putCounted } from '../stores/catalogs.ts';

/** Starts a service, in memory, that has these listings from its first answer on. */
export async function serveListings(listings: readonly Listing[], options: ServiceOptions = {}): Promise<TestService> {
  const store = openMemoryStore(retentionFor(defaultTtl));
  await putCounted(store.ports.listings, listings);
  return TestService.start(store, options);
}
