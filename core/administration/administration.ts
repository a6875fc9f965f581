import type { StorePorts } from '../store/store.port.ts';
import { limitedPorts } from '../tenant/limited-ports.ts';
import { together } from '../tenant/limits.ts';
import { affiliatesOf } from './use-cases/affiliates.ts';
import { buyersOf } from './use-cases/buyers.ts';
import { catalogOf } from './use-cases/catalog.ts';
import { devicesOf } from './use-cases/devices.ts';
import { entitlementsOf } from './use-cases/entitlements.ts';
import { keysOf } from './use-cases/keys.ts';
import { maintenanceOf } from './use-cases/maintenance.ts';
import { partsOf, type AdministrationSettings } from './use-cases/parts.ts';
import type { Platform } from './use-cases/platform.ts';
import { productsOf } from './use-cases/products.ts';
import { salesOf } from './use-cases/sales.ts';
import { signingKeysOf } from './use-cases/signing-keys.ts';
import { statementsOf } from './use-cases/statements.ts';
import { webhooksOf } from './use-cases/webhooks.ts';

/** Every use case of the administrator. */
export type Administration = ReturnType<typeof administrationOf>;

/**
 * Builds the administrator's use cases over the ports of a store. Those without a rule of their own are the port's methods.
 * A caller that is limited to products meets nothing else: `limitedPorts` keeps apart what has a product, and `ofService`
 * what the service has once.
 */
export function administrationOf(store: StorePorts, platform: Platform, settings: AdministrationSettings = {}) {
  const parts = partsOf(limitedPorts(store), platform, settings);
  const { useCases } = together(
    productsOf(parts),
    keysOf(parts),
    catalogOf(parts),
    affiliatesOf(parts),
    entitlementsOf(parts),
    devicesOf(parts),
    signingKeysOf(parts),
    buyersOf(parts),
    salesOf(parts),
    statementsOf(parts),
    webhooksOf(parts),
    maintenanceOf(parts),
  );
  return useCases;
}
