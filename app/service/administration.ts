import type { Container } from 'inversify';
import { administrationOf, type Administration } from '../../core/administration/administration.ts';
import type { AdministrationSettings } from '../../core/administration/use-cases/parts.ts';
import { portsIn } from './container.ts';
import { tokens } from './tokens.ts';

/**
 * The use cases of the administration in a process that serves: through the keys and tiers that it keeps, so that it knows
 * its own changes at once and reads no tiers for each request.
 */
export function administrationIn(container: Container, settings: AdministrationSettings): Administration {
  const tiers = container.get(tokens.keptTiers);
  const ports = { ...portsIn(container), signingKeys: container.get(tokens.keptSigningKeys), tiers };
  const { trusts: trustsClock } = container.get(tokens.clockTrust);
  return administrationOf(ports, container.get(tokens.platform), {
    trustsClock,
    knownTiers: tiers.known,
    ...settings,
  });
}
