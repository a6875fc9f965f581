import type { Container } from 'inversify';
import { feedOperations } from '../../adapters/http/events/feed-operations.ts';
import { withOpenApi } from '../../adapters/http/openapi/openapi-operations.ts';
import { discoveryOperations } from '../../adapters/http/operations/discovery-operations.ts';
import { entitlementOperations } from '../../adapters/http/operations/entitlement-operations.ts';
import { licenseOperations } from '../../adapters/http/operations/license-operations.ts';
import { listingOperations } from '../../adapters/http/operations/listing-operations.ts';
import type { Operation } from '../../adapters/http/operations/operation.ts';
import {
  probeOperations,
  serviceInfoOperations,
  type Ready,
} from '../../adapters/http/operations/service-operations.ts';
import { waitlistOperations } from '../../adapters/http/operations/waitlist-operations.ts';
import { release } from '../service/release.ts';
import { tokens } from '../service/tokens.ts';
import type { Settings } from '../settings/settings.ts';

/** The table of operations of the public port. `baseUrl` is called when a request needs it. */
export function publicOperations(
  container: Container,
  { publicUrl, catalogMaxAge }: Pick<Settings, 'publicUrl' | 'catalogMaxAge'>,
  baseUrl: () => string,
  ready: Ready,
): readonly Operation[] {
  const path = publicUrl === null ? '/' : new URL(publicUrl).pathname;
  return withOpenApi([
    ...listingOperations(container.get(tokens.catalogIndex), catalogMaxAge),
    ...waitlistOperations(container.get(tokens.joinWaitlist)),
    ...licenseOperations(container.get(tokens.verifyLicense)),
    ...entitlementOperations(container.get(tokens.readEntitlement), container.get(tokens.changeCancellation)),
    ...feedOperations(container.get(tokens.awaitFeed)),
    ...discoveryOperations(baseUrl, path),
    ...serviceInfoOperations(release),
    ...probeOperations(ready),
  ]);
}
