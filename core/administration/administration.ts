import type { StorePorts } from '../store/store.port.ts';
import { limitedPorts } from '../tenant/limited-ports.ts';
import { limitUseCases } from './limits.ts';
import type { Platform } from './platform.ts';
import { useCasesOf, type AdministrationSettings, type UseCases } from './use-cases.ts';

/** Every use case of the administrator. */
export type Administration = UseCases;

/**
 * Builds the administrator's use cases over the ports of a store. A caller that is limited to products meets nothing else:
 * `limitedPorts` keeps apart what has a product, and `limits` what the service has once.
 */
export function administrationOf(
  ports: StorePorts,
  platform: Platform,
  settings: AdministrationSettings = {},
): Administration {
  return limitUseCases(useCasesOf(limitedPorts(ports), platform, settings));
}
