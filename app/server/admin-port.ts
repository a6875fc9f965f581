import type { Container } from 'inversify';
import { declaredLines } from '../../adapters/administration/groups.ts';
import { adminFeedOperations } from '../../adapters/http/events/feed-operations.ts';
import { withAdminOpenApi } from '../../adapters/http/openapi/openapi-operations.ts';
import { administrationOperations } from '../../adapters/http/operations/admin/administration-operations.ts';
import type { Operation } from '../../adapters/http/operations/operation.ts';
import { metricsOperations, probeOperations, type Ready } from '../../adapters/http/operations/service-operations.ts';
import type { RequestOutcome } from '../../adapters/http/server/request-log.ts';
import type { Metrics } from '../../adapters/metrics/metrics.ts';
import { administrationOf, type Administration } from '../../core/administration/administration.ts';
import { logChanges, type LogChange } from '../../core/administration/change-log.ts';
import { portsIn, seatsIn } from '../service/container.ts';
import { changeLog } from '../service/logger.ts';
import { tokens } from '../service/tokens.ts';
import type { Settings } from '../settings/settings.ts';
import {
  createRateLimiter,
  HttpPort,
  trustedProxyTest,
  type BaseUrl,
  type HttpPortParts,
  type PortLimits,
} from './http-port.ts';
import type { ConsoleContext, ConsoleSettings, ServedConsole } from './pages/console-operations.ts';
import { readsAtStripe, type StripeKey } from './stripe/reads-at-stripe.ts';

/** What the admin port shows and counts of a server, which may be several processes. */
export type ServerMetrics = Pick<Metrics, 'expectOperations' | 'request' | 'text'>;

/**
 * Creates the port of the administration, the metrics and the probes. Its limits are those of the public port, whose URL is
 * `baseUrl`.
 */
export async function createAdminPort(
  parts: HttpPortParts,
  settings: PortLimits &
    ConsoleSettings &
    StripeKey &
    Pick<
      Settings,
      'console' | 'deviceIdle' | 'deviceReleases' | 'endingSoon' | 'rateLimits' | 'receipts' | 'receiptMaxAge'
    >,
  baseUrl: BaseUrl,
  ready: Ready,
  metrics: ServerMetrics,
): Promise<HttpPort> {
  const { container, log } = parts;
  const administration = loggingAdministration(container, changeLog(log), settings);
  const table = administrationTable(container, administration, settings, () => baseUrl.value);
  const context = { log, publicUrl: () => baseUrl.value };
  const pages = settings.console === 'on' ? await consoleOf(container, administration, ready, settings, context) : null;
  const own = ownOperations(metrics, ready);
  const unmeasured = new Set<string | undefined>(own.map(({ id }) => id));
  metrics.expectOperations(table.map(({ id }) => id));
  return new HttpPort(parts, settings, {
    flag: '--admin-port',
    baseUrl: null,
    operations: [...table, ...(pages?.operations ?? []), ...own],
    pages: pages?.ofPort ?? null,
    sessions: pages?.sessions ?? null,
    isProxy: await trustedProxyTest(settings),
    rateLimiter: await createRateLimiter(log, settings),
    observe: (outcome: RequestOutcome) => {
      if (!unmeasured.has(outcome.operation)) metrics.request(outcome);
    },
  });
}

/** The use cases of the administration, each of whose changes is logged. */
export function loggingAdministration(
  container: Container,
  logChange: LogChange,
  settings: Pick<Settings, 'deviceIdle' | 'deviceReleases' | 'endingSoon'> & StripeKey,
): Administration {
  // Through the keys that this process keeps, so that it knows its own changes at once.
  const ports = { ...portsIn(container), signingKeys: container.get(tokens.keptSigningKeys) };
  const { trusts: trustsClock } = container.get(tokens.clockTrust);
  const administration = administrationOf(ports, container.get(tokens.platform), {
    endingSoon: settings.endingSoon,
    trustsClock,
    seats: seatsIn(settings),
    readAtStripe: readsAtStripe(settings),
  });
  return logChanges(administration, logChange, declaredLines);
}

/** Loads the console, which a server that has none does not need. */
async function consoleOf(
  container: Container,
  administration: Administration,
  ready: Ready,
  settings: ConsoleSettings & Pick<Settings, 'receipts' | 'receiptMaxAge'>,
  context: ConsoleContext,
): Promise<ServedConsole> {
  const { servedConsole } = await import('./pages/console-operations.ts');
  const receipts = settings.receipts === 'on' ? { issuer: context.publicUrl, maxAge: settings.receiptMaxAge } : null;
  return servedConsole(container, { administration, isWritable: ready, receipts }, settings, context);
}

/** The table of operations of the administration. `issuer` is the URL of the public port. */
export function administrationTable(
  container: Container,
  administration: Administration,
  { receipts, receiptMaxAge }: Pick<Settings, 'receipts' | 'receiptMaxAge'>,
  issuer: () => string,
): readonly Operation[] {
  return withAdminOpenApi([
    ...administrationOperations(administration, receipts === 'on' ? { issuer, maxAge: receiptMaxAge } : null),
    ...adminFeedOperations(container.get(tokens.awaitFeed), container.get(tokens.products)),
  ]);
}

/** The operations for Prometheus and load balancers. They are not measured, because nobody wants alerts about them. */
function ownOperations(metrics: ServerMetrics, ready: Ready): readonly Operation[] {
  return [...probeOperations(ready), ...metricsOperations((call) => metrics.text(call))];
}
