import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { declaredLines } from '../../adapters/administration/groups.ts';
import { adminFeedOperations } from '../../adapters/http/events/feed-operations.ts';
import { withAdminOpenApi } from '../../adapters/http/openapi/openapi-operations.ts';
import { administrationOperations } from '../../adapters/http/operations/admin/administration-operations.ts';
import type { Operation } from '../../adapters/http/operations/operation.ts';
import { metricsOperations, probeOperations, type Ready } from '../../adapters/http/operations/service-operations.ts';
import type { RequestOutcome } from '../../adapters/http/server/request-log.ts';
import type { Metrics } from '../../adapters/metrics/metrics.ts';
import type { Administration } from '../../core/administration/administration.ts';
import { logChanges, type LogChange } from '../../core/administration/change-log.ts';
import type { AdministrationSettings } from '../../core/administration/use-cases/parts.ts';
import { awaitFeed, readFeed } from '../../core/feed/read-feed.ts';
import type { AskAtDesk } from '../../core/mail/lost/mail-keys.ts';
import { limitedKeysOnly, limitedSessionsOnly } from '../../core/operator-session/limited-keys-only.ts';
import { signIn } from '../../core/operator-session/operator-sessions.ts';
import { limitedPorts } from '../../core/tenant/limited-ports.ts';
import { countedMail } from '../receivers/counted-mail.ts';
import { administrationIn } from '../service/administration.ts';
import { portsIn, seatsIn } from '../service/container.ts';
import { changeLog } from '../service/logger.ts';
import { mailLoader, type MailSettings } from '../service/mail.ts';
import { tokens } from '../service/tokens.ts';
import type { Settings } from '../settings/settings.ts';
import {
  createRateLimiter,
  HttpPort,
  trustedProxyTest,
  type BaseUrl,
  type HttpPortParts,
  type PortLimits,
  type ServedParts,
} from './http-port.ts';
import type { ConsoleContext, ConsoleSettings, KeysOfPort, ServedConsole } from './pages/console-operations.ts';
import { addressLooks } from './stripe/address-looks.ts';
import { buyerAddresses } from './stripe/buyer-addresses.ts';
import { readsAtStripe, type StripeKey } from './stripe/reads-at-stripe.ts';

/** The metrics of a server, which may be several processes, that the admin port shows and counts. */
export type ServerMetrics = Pick<Metrics, 'expectOperations' | 'request' | 'text'>;

type AdminSettings = PortLimits &
  ConsoleSettings &
  StripeKey &
  MailSettings &
  Pick<
    Settings,
    | 'console'
    | 'deviceIdle'
    | 'deviceReleases'
    | 'endingSoon'
    | 'merchantPort'
    | 'merchantUrl'
    | 'rateLimits'
    | 'receipts'
    | 'receiptMaxAge'
  >;

/** The ports of a server that operators reach. */
export class AdminPorts {
  readonly #own: HttpPort;
  readonly #merchants: HttpPort | null;

  constructor(own: HttpPort, merchants: HttpPort | null) {
    this.#own = own;
    this.#merchants = merchants;
  }

  /** Listens, and returns the addresses: that of the merchants' port is null without one. */
  async listen({ host, adminPort, merchantPort }: Pick<Settings, 'host' | 'adminPort' | 'merchantPort'>): Promise<{
    readonly admin: string;
    readonly merchants: string | null;
  }> {
    const admin = await this.#own.listen(host, adminPort ?? 0);
    return { admin, merchants: (await this.#merchants?.listen(host, merchantPort ?? 0)) ?? null };
  }

  unref(): void {
    this.#own.unref();
    this.#merchants?.unref();
  }

  drain(): void {
    this.#own.drain();
    this.#merchants?.drain();
  }

  /** Closes the admin port last and at once, so that the metrics of a stopping server can be read until then. */
  async close(timeout: number): Promise<void> {
    await this.#merchants?.close(timeout);
    await this.#own.close(0);
  }
}

/** The parts of the server that the ports of operators need. */
interface AdminContext {
  readonly baseUrl: BaseUrl;
  readonly ready: Ready;
  readonly metrics: ServerMetrics;
  /** Null in a server that mails no lost keys. */
  readonly askAtDesk: AskAtDesk | null;
}

/**
 * Creates the port of the administration, the metrics and the probes, and that of merchants. Their limits are those of the
 * public port, whose URL is `baseUrl`.
 */
export async function createAdminPorts(
  parts: HttpPortParts,
  settings: AdminSettings,
  { baseUrl, ready, metrics, askAtDesk }: AdminContext,
): Promise<AdminPorts> {
  const { container, log } = parts;
  const addresses = buyerAddresses(settings);
  const administration = loggingAdministration(container, changeLog(log), settings, () => baseUrl.value, {
    addressLooks: addresses === null ? null : addressLooks(addresses, log),
    addresses,
    askAtDesk,
  });
  const table = administrationTable(container, administration, settings, () => baseUrl.value);
  const own = ownOperations(metrics, ready);
  const unmeasured = new Set<string | undefined>(own.map(({ id }) => id));
  metrics.expectOperations(table.map(({ id }) => id));
  const rateLimiter = await createRateLimiter(log, settings);
  const shared = {
    baseUrl: null,
    isProxy: await trustedProxyTest(settings),
    rateLimiter,
    // Anybody may ask for the link of an invitation, so those are counted in any case.
    claimLimiter: rateLimiter ?? (await createRateLimiter(log, { ...settings, rateLimits: {} })),
    observe: (outcome: RequestOutcome) => {
      if (!unmeasured.has(outcome.operation)) metrics.request(outcome);
    },
  };
  const pagesFor = async (keys: KeysOfPort): Promise<Pick<ServedParts, 'operations' | 'pages' | 'sessions'>> => {
    const context = { log, publicUrl: () => baseUrl.value };
    if (settings.console === 'off') return { operations: [], pages: null, sessions: null };
    const { operations, ofPort, sessions } = await consoleOf(container, administration, ready, settings, context, keys);
    return { operations, pages: ofPort, sessions };
  };
  const pages = await pagesFor({
    signIn: container.get(tokens.signIn),
    findSession: container.get(tokens.findOperatorSession),
  });
  const ofOwner = new HttpPort(parts, settings, {
    ...shared,
    ...pages,
    flag: '--admin-port',
    operations: [...table, ...pages.operations, ...own],
  });
  if (settings.merchantPort === null) return new AdminPorts(ofOwner, null);
  warnOfMerchants(log, settings);
  const keys = keysOfMerchants(container);
  const merchantPages = await pagesFor(keys);
  const ofMerchants = new HttpPort(parts, settings, {
    ...shared,
    ...merchantPages,
    authenticateOperator: keys.authenticate,
    flag: '--merchant-port',
    operations: [...table, ...merchantPages.operations].filter(({ path }) => path !== '/'),
  });
  return new AdminPorts(ofOwner, ofMerchants);
}

/** The operator keys that the port of merchants accepts: those that are limited to products. Any other is as unknown. */
function keysOfMerchants(container: Container) {
  const { digest, newSessionToken } = container.get(tokens.platform);
  const authenticate = limitedKeysOnly(container.get(tokens.authenticateOperator));
  return {
    authenticate,
    signIn: signIn(container.get(tokens.operatorSessions), authenticate, newSessionToken, digest),
    findSession: limitedSessionsOnly(container.get(tokens.findOperatorSession)),
  };
}

/** Warns about settings that a port lacks which others than the owner reach. */
function warnOfMerchants(log: Logger, { rateLimits, trustedProxies }: AdminSettings): void {
  if (trustedProxies === null) {
    log.warn('MERCHANT_PORT is set without TRUSTED_PROXIES: name the proxy that terminates TLS in front of it');
  }
  if (rateLimits === 'off')
    log.warn('MERCHANT_PORT is set without RATE_LIMITS: merchants may send any number of requests');
}

/** The use cases of the administration, each of whose changes is logged. */
export function loggingAdministration(
  container: Container,
  logChange: LogChange,
  settings: Pick<Settings, 'deviceIdle' | 'deviceReleases' | 'endingSoon' | 'merchantUrl'> & StripeKey & MailSettings,
  baseUrl: () => string = () => '',
  ofServer: Pick<AdministrationSettings, 'addressLooks' | 'addresses' | 'askAtDesk'> = {},
): Administration {
  const administration = administrationIn(container, {
    endingSoon: settings.endingSoon,
    seats: seatsIn(settings),
    readAtStripe: readsAtStripe(settings),
    baseUrl,
    merchantUrl: settings.merchantUrl,
    loadMail: countedMail(mailLoader(settings, baseUrl)),
    ...ofServer,
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
  keys: KeysOfPort,
): Promise<ServedConsole> {
  const { servedConsole } = await import('./pages/console-operations.ts');
  const receipts = settings.receipts === 'on' ? { issuer: context.publicUrl, maxAge: settings.receiptMaxAge } : null;
  return servedConsole(container, { administration, isWritable: ready, receipts }, settings, context, keys);
}

/** The table of operations of the administration. `issuer` is the URL of the public port. */
export function administrationTable(
  container: Container,
  administration: Administration,
  { receipts, receiptMaxAge }: Pick<Settings, 'receipts' | 'receiptMaxAge'>,
  issuer: () => string,
): readonly Operation[] {
  const { events, products } = limitedPorts(portsIn(container));
  return withAdminOpenApi([
    ...administrationOperations(administration, receipts === 'on' ? { issuer, maxAge: receiptMaxAge } : null),
    ...adminFeedOperations(awaitFeed(readFeed(events), container.get(tokens.feedFollower)), products),
  ]);
}

/** The operations for Prometheus and load balancers. They are not measured, because nobody wants alerts about them. */
function ownOperations(metrics: ServerMetrics, ready: Ready): readonly Operation[] {
  return [...probeOperations(ready), ...metricsOperations((call) => metrics.text(call))];
}
