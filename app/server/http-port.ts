import type { Server } from 'node:http';
import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { newCorrelationId } from '../../adapters/crypto/node-secrets.ts';
import { AnswerBudget } from '../../adapters/http/content/answer-budget.ts';
import { BodyBudget } from '../../adapters/http/content/body-budget.ts';
import { Editions } from '../../adapters/http/editions.ts';
import type { RateLimiter } from '../../adapters/http/exchange/rate-limiter.ts';
import type { LimitCounts } from '../../adapters/http/limits/limit-counts.ts';
import type { RateLimits } from '../../adapters/http/limits/rate-limits.ts';
import { metadataUrlOf } from '../../adapters/http/operations/discovery-operations.ts';
import { HttpService, type HttpServiceSettings } from '../../adapters/http/server/http-service.ts';
import { closeServer, listen, stopListening } from '../../adapters/http/server/listen.ts';
import { createListener, type ListenerSettings, type RefusedFor } from '../../adapters/http/server/listener.ts';
import type { Clock } from '../../core/call.ts';
import { tokens } from '../service/tokens.ts';
import type { Settings } from '../settings/settings.ts';

/** The parts that all ports of a server share. */
export interface HttpPortParts {
  readonly container: Container;
  readonly clock: Clock;
  readonly log: Logger;
  readonly editions?: Editions;
}

/** The URL under which clients reach a port: the configured one, otherwise the address that the port listens on. */
export class BaseUrl {
  #url: string | null;

  constructor(configured: string | null) {
    this.#url = configured;
  }

  /** Sets the address that the port listens on. Without effect where a URL is configured. */
  listensOn(address: string): void {
    this.#url ??= address;
  }

  /** Throws before the port listens. */
  get value(): string {
    if (this.#url === null) throw new Error('the port does not listen yet');
    return this.#url;
  }
}

/** The limits of connections and requests, which all ports share. */
export type PortLimits = ListenerSettings &
  Pick<HttpServiceSettings, 'corsOrigins' | 'storeDeadline'> &
  Partial<Pick<HttpServiceSettings, 'answers' | 'bodies'>>;

/** The operations of a port, and the metrics that count them. */
export interface ServedParts extends Pick<
  HttpServiceSettings,
  'operations' | 'pages' | 'rateLimiter' | 'claimLimiter' | 'sessions' | 'observe' | 'isProxy'
> {
  /** Accepts operator keys. Default: all that are valid. */
  readonly authenticateOperator?: HttpServiceSettings['authenticateOperator'];
  /** The flag that chooses the port. */
  readonly flag: string;
  /** Where the RFC 9728 metadata that a 401 refers to is served; null if the port has none. */
  readonly baseUrl: BaseUrl | null;
  /** Called for each connection above the maximum, which is closed. */
  readonly onRefusedConnection?: () => void;
}

/** Bytes that the unfinished bodies of all ports of a process may hold. */
const bodiesOfProcess = new BodyBudget(64 * 1024 * 1024);

/** Bytes that the answers may hold which wait for the clients of all ports of a process. */
const answersOfProcess = new AnswerBudget(64 * 1024 * 1024);

/** Why the log mentions connections that are closed. */
type ClosedFor = RefusedFor | 'answers that wait';

const closedConnections: Readonly<Record<ClosedFor, string>> = {
  'all connections': 'connections are closed: MAX_CONNECTIONS is reached',
  'connections of its address':
    'connections are closed: their address has a quarter of MAX_CONNECTIONS; name it in TRUSTED_PROXIES if it is a proxy',
  'answers that wait': 'connections are closed: their clients do not take the answers, which fill the memory for them',
};

/** Milliseconds without a refused connection after which the log mentions the next one. */
const quietTime = 60_000;

/** A port to listen on, with a table of operations of its own. */
export class HttpPort {
  readonly #served: ServedParts;
  readonly #maxConnections: number;
  readonly #service: HttpService;
  readonly #listener: Server;
  readonly #log: Logger;
  /** When the last connection was closed for a reason, by the monotonic clock. */
  readonly #closedAt = new Map<ClosedFor, number>();

  constructor(
    { container, clock, log, editions = new Editions() }: HttpPortParts,
    limits: PortLimits,
    served: ServedParts,
  ) {
    const { baseUrl } = served;
    this.#served = served;
    this.#maxConnections = limits.maxConnections;
    this.#log = log;
    this.#service = new HttpService({
      authenticateOperator: container.get(tokens.authenticateOperator),
      ...served,
      corsOrigins: limits.corsOrigins,
      storeDeadline: limits.storeDeadline,
      answerTimeout: limits.requestTimeout,
      authenticate: container.get(tokens.authenticate),
      authorize: container.get(tokens.authorize),
      authorizeOperator: container.get(tokens.authorizeOperator),
      editions,
      clock,
      log,
      newId: newCorrelationId,
      bodies: limits.bodies ?? bodiesOfProcess,
      answers: limits.answers ?? answersOfProcess,
      onSlowReader: () => this.#logClosed('answers that wait'),
      metadataUrl: baseUrl === null ? null : () => metadataUrlOf(baseUrl.value),
    });
    this.#listener = createListener(this.#service, limits, {
      isProxy: served.isProxy,
      onRefused: (reason) => {
        this.#logClosed(reason);
        served.onRefusedConnection?.();
      },
    });
  }

  /** Listens, and returns the address; port 0 means any free port. Throws `UnusableAddress`. */
  async listen(host: string, port: number): Promise<string> {
    const { flag, baseUrl } = this.#served;
    const onError = (err: Error): void => this.#log.error({ err }, 'a connection could not be accepted');
    const url = await listen(this.#listener, { host, port, flag }, onError);
    baseUrl?.listensOn(url);
    return url;
  }

  /** Lets the process end although the port listens, and connections are open. */
  unref(): void {
    this.#listener.unref().on('connection', (socket) => socket.unref());
  }

  /** Logs the first of a series, because a server that is full closes many a second. */
  #logClosed(reason: ClosedFor): void {
    const now = performance.now();
    if (now - (this.#closedAt.get(reason) ?? -Infinity) > quietTime) {
      this.#log.warn({ connections: this.#maxConnections }, closedConnections[reason]);
    }
    this.#closedAt.set(reason, now);
  }

  /** Closes each connection after its next response, and holds no request, from now on. */
  drain(): void {
    this.#service.drain();
  }

  /** Accepts no more connections. Resolves once all have closed: after their next response, or idle for too long. */
  leave(): Promise<void> {
    this.drain();
    return stopListening(this.#listener);
  }

  /** Accepts no more connections, and closes those that are still open after `timeout` milliseconds. */
  close(timeout: number): Promise<void> {
    return closeServer(this.#listener, timeout);
  }
}

const unknownProxy =
  'a request was forwarded by a proxy, but TRUSTED_PROXIES is not set: all clients behind a proxy share one rate limit';

/** Makes the function that says whether an address is that of a trusted proxy. */
export async function trustedProxyTest({
  trustedProxies,
}: Pick<Settings, 'trustedProxies'>): Promise<(address: string) => boolean> {
  if (trustedProxies === null) return () => false;
  const { trustedAddresses } = await import('../../adapters/http/exchange/trusted-proxies.ts');
  return trustedAddresses(trustedProxies);
}

/** Creates the rate limiter of one port; null if rate limits are off. Without `counts`, the port counts for itself. */
export async function createRateLimiter(
  log: Logger,
  { rateLimits, trustedProxies }: Pick<Settings, 'rateLimits' | 'trustedProxies'>,
  counts: LimitCounts | null = null,
): Promise<RateLimiter | null> {
  if (rateLimits === 'off') return null;
  const { RateLimiter } = await import('../../adapters/http/exchange/rate-limiter.ts');
  const onUnknownProxy = (): void => log.warn(unknownProxy);
  return new RateLimiter(counts ?? (await countHere(rateLimits)), trustedProxies ?? [], onUnknownProxy);
}

/** Loads the package that counts, which a worker does not need. */
async function countHere(limits: RateLimits): Promise<LimitCounts> {
  const { LocalLimitCounts } = await import('../../adapters/http/limits/limit-counts.ts');
  return new LocalLimitCounts(limits);
}
