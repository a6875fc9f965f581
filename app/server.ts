import type { Server } from 'node:http';
import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { CatalogRefresher } from '../adapters/catalog-index/catalog-refresher.ts';
import { newCorrelationId } from '../adapters/crypto/node-secrets.ts';
import type { CorsOrigins } from '../adapters/http/cors.ts';
import { discoveryOperations, metadataUrlOf } from '../adapters/http/discovery-operations.ts';
import { Editions } from '../adapters/http/editions.ts';
import { entitlementOperations } from '../adapters/http/entitlement-operations.ts';
import { licenseOperations } from '../adapters/http/license-operations.ts';
import { createListener, listenerDefaults, type ListenerSettings } from '../adapters/http/listener.ts';
import { listingOperations } from '../adapters/http/listing-operations.ts';
import { withOpenApi } from '../adapters/http/openapi-operations.ts';
import { probeOperations } from '../adapters/http/probe-operations.ts';
import { RateLimiter, type RateLimits } from '../adapters/http/rate-limiter.ts';
import { Service } from '../adapters/http/service.ts';
import { waitlistOperations } from '../adapters/http/waitlist-operations.ts';
import type { Call, Clock } from '../core/call.ts';
import { newCall } from './call.ts';
import type { Store } from './stores/store.ts';
import { tokens } from './tokens.ts';

export interface ServerSettings extends Partial<ListenerSettings> {
  /** Null for the listening address. */
  readonly publicUrl: string | null;
  readonly corsOrigins: CorsOrigins;
  /** Milliseconds. */
  readonly storeDeadline: number;
  /** Absent where nothing is limited. */
  readonly rateLimits?: RateLimits | null;
  /** The proxies whose `X-Forwarded-For` is believed; none by default. */
  readonly trustedProxies?: readonly string[];
  /** How long caches may keep catalog answers, in milliseconds. */
  readonly catalogMaxAge: number;
}

/** A server that is listening. */
export interface RunningServer {
  readonly url: string;
  /** Finishes what is in flight, at most `patience` milliseconds long, and closes every connection. */
  stop(patience: number): Promise<void>;
}

export interface ServerParts {
  readonly container: Container;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly editions?: Editions;
}

/** Puts the use cases behind HTTP. Port 0 takes a free one. */
export async function startServer(
  parts: ServerParts,
  settings: ServerSettings,
  address: { readonly host: string; readonly port: number },
): Promise<RunningServer> {
  const resource = (): string => settings.publicUrl ?? url;
  const catalog = createRefresher(parts);
  const service = createService(parts, settings, resource, () => catalog.age() !== null);
  await catalog.start();
  const listener = createListener(service, { ...listenerDefaults, ...settings });
  const url = await listen(listener, address);
  return {
    url,
    stop: async (patience) => {
      service.drain();
      await close(listener, patience);
      await catalog.stop();
    },
  };
}

function createService(
  { container, store, clock, log, editions = new Editions() }: ServerParts,
  { publicUrl, corsOrigins, storeDeadline, catalogMaxAge, rateLimits = null, trustedProxies = [] }: ServerSettings,
  resource: () => string,
  catalogLoaded: () => boolean,
): Service {
  const path = publicUrl === null ? '/' : new URL(publicUrl).pathname;
  const service: Service = new Service({
    operations: withOpenApi([
      ...listingOperations(container.get(tokens.catalogIndex), catalogMaxAge),
      ...waitlistOperations(container.get(tokens.joinWaitlist)),
      ...licenseOperations(container.get(tokens.verifyLicense)),
      ...entitlementOperations(container.get(tokens.readEntitlement), container.get(tokens.changeCancellation)),
      ...discoveryOperations(resource, path),
      ...probeOperations(async (call) => !service.draining && catalogLoaded() && store.ready(call)),
    ]),
    editions,
    authenticate: container.get(tokens.authenticate),
    rateLimiter: rateLimits === null ? null : new RateLimiter(rateLimits, trustedProxies),
    clock,
    newId: newCorrelationId,
    log,
    corsOrigins,
    storeDeadline,
    metadataUrl: () => metadataUrlOf(resource()),
  });
  return service;
}

function createRefresher({ container, clock, log }: ServerParts): CatalogRefresher {
  const call = (patience: number): Call => newCall(clock(), patience);
  return new CatalogRefresher(container.get(tokens.catalogIndex), call, (error) =>
    log.error({ err: error }, 'the catalog could not be refreshed'),
  );
}

function listen(listener: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen({ host, port }, () => {
      resolve(urlOf(listener.address()));
    });
  });
}

function urlOf(address: ReturnType<Server['address']>): string {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

async function close(listener: Server, patience: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => listener.closeAllConnections(), patience);
    listener.close(() => {
      clearTimeout(timer);
      resolve();
    });
    listener.closeIdleConnections();
  });
}
