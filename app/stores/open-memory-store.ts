import { ContainerModule } from 'inversify';
import { MemoryAllAppKeys } from '../../adapters/memory/memory-all-app-keys.ts';
import { MemoryAllEntitlements } from '../../adapters/memory/memory-all-entitlements.ts';
import { MemoryAppKeys } from '../../adapters/memory/memory-app-keys.ts';
import { MemoryEntitlements } from '../../adapters/memory/memory-entitlements.ts';
import { MemoryIdempotencyRecords } from '../../adapters/memory/memory-idempotency-records.ts';
import { MemoryLicenses } from '../../adapters/memory/memory-licenses.ts';
import { MemoryListings } from '../../adapters/memory/memory-listings.ts';
import { MemoryMaintenance } from '../../adapters/memory/memory-maintenance.ts';
import { MemoryProducts } from '../../adapters/memory/memory-products.ts';
import { MemoryStore } from '../../adapters/memory/memory-store.ts';
import { MemoryWaitlist } from '../../adapters/memory/memory-waitlist.ts';
import type { Retention } from '../../core/entitlement/idempotency/retention.ts';
import { tokens } from '../service/tokens.ts';
import type { Store } from './store.ts';

export function openMemoryStore(retention: Retention): Store {
  const store = new MemoryStore();
  return {
    module: new ContainerModule(({ bind }) => {
      bind(tokens.allAppKeys).toConstantValue(new MemoryAllAppKeys(store));
      bind(tokens.allEntitlements).toConstantValue(new MemoryAllEntitlements(store));
      bind(tokens.appKeys).toConstantValue(new MemoryAppKeys(store));
      bind(tokens.entitlements).toConstantValue(new MemoryEntitlements(store, retention));
      bind(tokens.idempotencyRecords).toConstantValue(new MemoryIdempotencyRecords(store, retention));
      bind(tokens.licenses).toConstantValue(new MemoryLicenses(store));
      bind(tokens.listings).toConstantValue(new MemoryListings(store));
      bind(tokens.maintenance).toConstantValue(new MemoryMaintenance(store, retention));
      bind(tokens.products).toConstantValue(new MemoryProducts(store));
      bind(tokens.waitlist).toConstantValue(new MemoryWaitlist(store));
    }),
    archive: null,
    description: 'memory: nothing outlives the process',
    ready: async () => true,
    close: async () => {},
  };
}
