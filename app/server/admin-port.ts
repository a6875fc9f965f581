import type { Container } from 'inversify';
import { adminFeedOperations } from '../../adapters/http/events/feed-operations.ts';
import { withAdminOpenApi } from '../../adapters/http/openapi/openapi-operations.ts';
import { administrationOperations } from '../../adapters/http/operations/admin/administration-operations.ts';
import type { Operation } from '../../adapters/http/operations/operation.ts';
import { metricsOperations, probeOperations, type Ready } from '../../adapters/http/operations/service-operations.ts';
import type { RequestOutcome } from '../../adapters/http/server/request-log.ts';
import type { Metrics } from '../../adapters/metrics/metrics.ts';
import { administrationOf } from '../../core/administration/administration.ts';
import { logChanges, type LogChange } from '../../core/administration/change-log.ts';
import { portsIn } from '../service/container.ts';
import { changeLog } from '../service/logger.ts';
import { tokens } from '../service/tokens.ts';
import type { Settings } from '../settings/settings.ts';
import { createRateLimiter, HttpPort, type BaseUrl, type HttpPortParts, type PortLimits } from './http-port.ts';

/** What the admin port shows and counts of a server, which may be several processes. */
export type ServerMetrics = Pick<Metrics, 'expectOperations' | 'request' | 'text'>;

/**
 * Creates the port of the administration, the metrics and the probes. Its limits are those of the public port, whose URL is
 * `baseUrl`.
 */
export async function createAdminPort(
  parts: HttpPortParts,
  settings: PortLimits & Pick<Settings, 'rateLimits' | 'receipts' | 'receiptMaxAge' | 'trustedProxies'>,
  baseUrl: BaseUrl,
  ready: Ready,
  metrics: ServerMetrics,
): Promise<HttpPort> {
  const administration = administrationTable(parts.container, changeLog(parts.log), settings, () => baseUrl.value);
  const own = ownOperations(metrics, ready);
  const unmeasured = new Set<string | undefined>(own.map(({ id }) => id));
  metrics.expectOperations(administration.map(({ id }) => id));
  return new HttpPort(parts, settings, {
    flag: '--admin-port',
    baseUrl: null,
    operations: [...administration, ...own],
    pages: null,
    rateLimiter: await createRateLimiter(parts.log, settings),
    observe: (outcome: RequestOutcome) => {
      if (!unmeasured.has(outcome.operation)) metrics.request(outcome);
    },
  });
}

/** The table of operations of the administration, each of whose changes is logged. `issuer` is the URL of the public port. */
export function administrationTable(
  container: Container,
  logChange: LogChange,
  { receipts, receiptMaxAge }: Pick<Settings, 'receipts' | 'receiptMaxAge'>,
  issuer: () => string,
): readonly Operation[] {
  // Through the keys that this process keeps, so that it knows its own changes at once.
  const ports = { ...portsIn(container), signingKeys: container.get(tokens.keptSigningKeys) };
  const { trusts } = container.get(tokens.clockTrust);
  const administration = logChanges(administrationOf(ports, container.get(tokens.platform), trusts), logChange);
  return withAdminOpenApi([
    ...administrationOperations(administration, receipts === 'on' ? { issuer, maxAge: receiptMaxAge } : null),
    ...adminFeedOperations(container.get(tokens.awaitFeed), ports.products),
  ]);
}

/** The operations for Prometheus and load balancers. They are not measured, because nobody wants alerts about them. */
function ownOperations(metrics: ServerMetrics, ready: Ready): readonly Operation[] {
  return [...probeOperations(ready), ...metricsOperations((call) => metrics.text(call))];
}
