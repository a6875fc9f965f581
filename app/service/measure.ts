import type { Container, ServiceIdentifier } from 'inversify';
import { Metrics } from '../../adapters/metrics/metrics.ts';
import { tokens } from './tokens.ts';

/** Measures the ports that requests go through. Must come before anybody asks the container for them. */
export function measure(container: Container): Metrics {
  const metrics = new Metrics(() => container.get(tokens.catalogIndex).age());
  const time = <Port extends object>(name: string, token: ServiceIdentifier<Port>): void => {
    container.onActivation(token, (_context, port) => metrics.timed(name, port));
  };
  time('AppKeys', tokens.appKeys);
  time('Entitlements', tokens.entitlements);
  time('IdempotencyRecords', tokens.idempotencyRecords);
  time('Licenses', tokens.licenses);
  time('Listings', tokens.listings);
  time('Waitlist', tokens.waitlist);
  return metrics;
}
