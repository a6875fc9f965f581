import type { Container } from 'inversify';
import { currentEdition } from '../../adapters/http/editions.ts';
import { Metrics } from '../../adapters/metrics/metrics.ts';
import type { Platform } from '../../core/administration/use-cases/platform.ts';
import { billing } from '../../core/billing/outgoing-stream.ts';
import { oldestDue } from '../../core/entitlement/event/record-clock-events.ts';
import { mailing } from '../../core/mail/mailing.ts';
import { readReceiverBacklog } from '../../core/receiver/own-receiver.ts';
import type { StorePorts } from '../../core/store/store.port.ts';
import { createContainer, type ContainerSettings } from '../service/container.ts';
import { release } from '../service/release.ts';
import { tokens } from '../service/tokens.ts';

/**
 * Builds a container over the ports of a store, and the metrics of its process, which measure the calls of the ports and
 * count the results of verifications and activations. A process without a catalog shows no age of it.
 */
export function measuredService(
  ports: StorePorts,
  settings: ContainerSettings,
  platform: Platform,
  loads: 'catalog' | 'no catalog',
): { readonly container: Container; readonly metrics: Metrics } {
  const metrics = new Metrics({
    build: { version: release, edition: currentEdition },
    catalogAge: loads === 'catalog' ? () => container.get(tokens.catalogIndex).age() : null,
    lastBackup: (call) => ports.maintenance.lastBackup(call),
    oldestWaitingEvent: (call) => ports.maintenance.oldestWaitingEvent(call),
    oldestClockChange: (call) => oldestDue(container.get(tokens.dueEntitlements), settings.endingSoon)(call),
    signingSince: async (call) => (await container.get(tokens.keptSigningKeys).known(call))?.active.activeAt ?? null,
    deliveryBacklog: (call) => container.get(tokens.deliveryBacklog)(call),
    outgoingBacklog: readReceiverBacklog(billing, ports.deliveryStreams),
    mailBacklog: readReceiverBacklog(mailing, ports.deliveryStreams),
    stripeCases: ports.stripeCases,
    sales: ports.sales,
    heldRequests: () => container.get(tokens.feedFollower).held,
  });
  const counted = { ...ports, sales: metrics.sales.counting(ports.sales) };
  const container = createContainer(timedPorts(counted, metrics), settings, platform);
  container.onActivation(tokens.recordClockEvents, (_context, recordClockEvents) =>
    metrics.events.counting(recordClockEvents),
  );
  container.onActivation(tokens.startTrial, (_context, start) => metrics.trials.counting(start));
  container.onActivation(tokens.convertTrial, (_context, convert) => metrics.trials.converting(convert));
  container.onActivation(tokens.activateDevice, (_context, activate) => metrics.devices.counting(activate));
  container.onActivation(tokens.verifyLicense, (_context, verify) => metrics.verifications.counting(verify));
  return { container, metrics };
}

/** Measures every port but the maintenance, which no request uses. A port is labelled with its type: `AppKeys`. */
function timedPorts({ maintenance, ...ports }: StorePorts, metrics: Metrics): StorePorts {
  const timed = Object.entries(ports).map(([name, port]) => {
    const label = name.charAt(0).toUpperCase() + name.slice(1);
    return [name, metrics.timed<object>(label, port)] as const;
  });
  return { ...(Object.fromEntries(timed) as unknown as typeof ports), maintenance };
}
