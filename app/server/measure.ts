import type { Container, ServiceIdentifier } from 'inversify';
import { currentEdition } from '../../adapters/http/editions.ts';
import { Metrics } from '../../adapters/metrics/metrics.ts';
import { release } from '../service/release.ts';
import { tokens } from '../service/tokens.ts';

/**
 * Measures the ports of the store that requests use, and counts the results of verifications. Must be called before the
 * container builds any of them. A process without a catalog shows no age of it.
 */
export function measure(container: Container, loads: 'catalog' | 'no catalog'): Metrics {
  const metrics = new Metrics({
    build: { version: release, edition: currentEdition },
    catalogAge: loads === 'catalog' ? () => container.get(tokens.catalogIndex).age() : null,
    lastBackup: (call) => container.get(tokens.maintenance).lastBackup(call),
    oldestWaitingEvent: (call) => container.get(tokens.maintenance).oldestWaitingEvent(call),
    oldestClockChange: async (call) => {
      const [first] = await container.get(tokens.dueEntitlements).due(call.now, 1, call);
      return first?.nextEventAt ?? null;
    },
    deliveryBacklog: (call) => container.get(tokens.deliveryBacklog)(call),
    heldRequests: () => container.get(tokens.feedFollower).held,
  });
  const time = <Port extends object>(name: string, token: ServiceIdentifier<Port>): void => {
    container.onActivation(token, (_context, port) => metrics.timed(name, port));
  };
  time('AllAppKeys', tokens.allAppKeys);
  time('AllEntitlements', tokens.allEntitlements);
  time('AllListings', tokens.allListings);
  time('AllOperatorKeys', tokens.allOperatorKeys);
  time('AppKeys', tokens.appKeys);
  time('ClockMarks', tokens.clockMarks);
  time('DueEntitlements', tokens.dueEntitlements);
  time('DeliveryStreams', tokens.deliveryStreams);
  time('EntitlementHistory', tokens.entitlementHistory);
  time('Entitlements', tokens.entitlements);
  time('Events', tokens.events);
  time('IdempotencyRecords', tokens.idempotencyRecords);
  time('Licenses', tokens.licenses);
  time('Listings', tokens.listings);
  time('OperatorKeys', tokens.operatorKeys);
  time('Products', tokens.products);
  time('Waitlist', tokens.waitlist);
  time('WebhookEndpoints', tokens.webhookEndpoints);
  container.onActivation(tokens.recordClockEvents, (_context, recordClockEvents) =>
    metrics.events.counting(recordClockEvents),
  );
  container.onActivation(tokens.verifyLicense, (_context, verify) => metrics.verifications.counting(verify));
  return metrics;
}
