import { setTimeout } from 'node:timers/promises';
import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { CatalogRefresher } from '../../adapters/catalog-index/catalog-refresher.ts';
import { newCorrelationId } from '../../adapters/crypto/node-secrets.ts';
import { metadataUrlOf } from '../../adapters/http/operations/discovery-operations.ts';
import { Editions } from '../../adapters/http/editions.ts';
import { createListener, listenerDefaults, type ListenerSettings } from '../../adapters/http/server/listener.ts';
import { metricsOperations } from '../../adapters/http/operations/metrics-operations.ts';
import { probeOperations, type Ready } from '../../adapters/http/operations/probe-operations.ts';
import { RateLimiter } from '../../adapters/http/exchange/rate-limiter.ts';
import { HttpService, type HttpServiceSettings } from '../../adapters/http/server/http-service.ts';
import type { Metrics } from '../../adapters/metrics/metrics.ts';
import type { Call, Clock } from '../../core/call.ts';
import { newCall } from './new-call.ts';
import { closeServer as close, listen } from '../../adapters/http/server/listen.ts';
import { measure } from './measure.ts';
import { operationsOf } from './operations.ts';
import type { Store } from '../../core/store/store.port.ts';
import type { Settings } from '../settings/settings.ts';
import { tokens } from './tokens.ts';

/** The settings, and how many requests a connection serves, which only tests change. */
export type ServerSettings = Settings & Partial<Pick<ListenerSettings, 'requestsPerConnection'>>;

/** A server that is listening. */
export interface RunningServer {
  readonly url: string;
  /** Of the admin port, where there is one. */
  readonly adminUrl: string | null;
  /**
   * Says on `/readyz` that it stops, for as long as the shutdown notice; then finishes what is in flight, at most `patience`
   * milliseconds long, and closes every connection.
   */
  stop(patience: number): Promise<void>;
}

export interface ServerParts {
  readonly container: Container;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly editions?: Editions;
}

/** Puts the use cases behind HTTP. Port 0 takes a free one. Throws `UnusableAddress`, and then leaves nothing running. */
export async function startServer(parts: ServerParts, settings: ServerSettings): Promise<RunningServer> {
  const { host, port, adminPort, shutdownNotice } = settings;
  const resource = (): string => settings.publicUrl ?? url;
  const metrics = adminPort === null ? null : measure(parts.container);
  const catalog = createRefresher(parts);
  const ready = async (call: Call): Promise<boolean> =>
    !service.draining && parts.container.get(tokens.catalogIndex).age() < Infinity && parts.store.ready(call);
  const observe = metrics === null ? {} : { observe: metrics.request };
  const service: HttpService = new HttpService({
    ...serviceSettings(parts, settings, resource),
    ...observe,
    operations: operationsOf(parts.container, settings, resource, ready),
  });
  const listener = createListener(service, { ...listenerDefaults, ...settings });
  let url = '';
  let admin: Admin | null = null;
  const stop = async (patience: number): Promise<void> => {
    const end = performance.now() + patience;
    await close(listener, patience);
    await catalog.stop(Math.max(0, end - performance.now()));
    await admin?.stop();
    metrics?.close();
  };
  try {
    await catalog.start();
    url = await listen(listener, { host, port, flag: '--port' }, failing(parts.log));
    if (metrics !== null) admin = await startAdmin(parts, settings, metrics, ready, { host, port: adminPort ?? 0 });
  } catch (error) {
    await stop(0);
    throw error;
  }
  return {
    url,
    adminUrl: admin?.url ?? null,
    stop: async (patience) => {
      service.drain();
      await setTimeout(shutdownNotice);
      await stop(patience);
    },
  };
}

interface Admin {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Serves the metrics and the probes until everything else has stopped. */
async function startAdmin(
  parts: ServerParts,
  settings: ServerSettings,
  metrics: Metrics,
  ready: Ready,
  address: { readonly host: string; readonly port: number },
): Promise<Admin> {
  const operations = [...probeOperations(ready), ...metricsOperations(() => metrics.text())];
  const service = new HttpService({ ...serviceSettings(parts, settings, () => url), operations, rateLimiter: null });
  const listener = createListener(service);
  const url = await listen(listener, { ...address, flag: '--admin-port' }, failing(parts.log));
  return { url, stop: () => close(listener, 0) };
}

const unknownProxy =
  'a request came through a proxy, but TRUSTED_PROXIES names none: all clients behind a proxy share its rate limits';

function serviceSettings(
  { container, clock, log, editions = new Editions() }: ServerParts,
  { corsOrigins, storeDeadline, rateLimits, trustedProxies }: ServerSettings,
  resource: () => string,
): Omit<HttpServiceSettings, 'operations'> {
  return {
    editions,
    authenticate: container.get(tokens.authenticate),
    authorize: container.get(tokens.authorize),
    rateLimiter:
      rateLimits === null ? null : new RateLimiter(rateLimits, trustedProxies ?? [], () => log.warn(unknownProxy)),
    clock,
    newId: newCorrelationId,
    log,
    corsOrigins,
    storeDeadline,
    metadataUrl: () => metadataUrlOf(resource()),
  };
}

function failing(log: Logger): (error: Error) => void {
  return (err) => log.error({ err }, 'a connection could not be accepted');
}

function createRefresher({ container, clock, log }: ServerParts): CatalogRefresher {
  const call = (patience: number): Call => newCall(clock(), patience);
  return new CatalogRefresher(container.get(tokens.catalogIndex), call, (error) =>
    log.error({ err: error }, 'the catalog could not be refreshed'),
  );
}
