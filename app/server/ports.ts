import type { RateLimiter } from '../../adapters/http/exchange/rate-limiter.ts';
import type { ListenerSettings } from '../../adapters/http/server/listener.ts';
import type { Metrics } from '../../adapters/metrics/metrics.ts';
import type { Settings } from '../settings/settings.ts';
import { BaseUrl } from './base-url.ts';
import { HttpPort, type HttpPortParts } from './http-port.ts';
import { publicOperations } from './operations.ts';
import type { ServedPages } from './page-operations.ts';
import type { Readiness } from './readiness.ts';

/** All settings, and a limit that only tests change. */
export type ServerSettings = Settings & Pick<ListenerSettings, 'requestsPerConnection'>;

const unknownProxy =
  'a request was forwarded by a proxy, but TRUSTED_PROXIES is not set: all clients behind a proxy share one rate limit';

/** Creates the port of the interface in the specification. `metrics` is null if requests are not measured. */
export async function createPublicPort(
  parts: HttpPortParts,
  settings: ServerSettings,
  readiness: Readiness,
  metrics: Metrics | null,
): Promise<HttpPort> {
  const baseUrl = new BaseUrl(settings.publicUrl);
  const url = (): string => baseUrl.value;
  const pages = settings.pages === 'on' ? await createPages(parts, settings, url) : null;
  const operations = [
    ...publicOperations(parts.container, settings, url, readiness.check),
    ...(pages?.operations ?? []),
  ];
  metrics?.expectOperations(operations.map(({ id }) => id));
  return new HttpPort(parts, {
    ...settings,
    flag: '--port',
    hasMetadata: true,
    operations,
    pages: pages?.ofPort ?? null,
    baseUrl,
    rateLimiter: await createRateLimiter(parts, settings),
    ...(metrics === null ? {} : { observe: metrics.request }),
  });
}

async function createPages({ container }: HttpPortParts, settings: Settings, url: () => string): Promise<ServedPages> {
  const { servedPages } = await import('./page-operations.ts');
  return servedPages(container, settings, url);
}

/** Creates the rate limiter of one port; null if rate limits are off. */
export async function createRateLimiter(
  { log }: HttpPortParts,
  { rateLimits, trustedProxies }: Settings,
): Promise<RateLimiter | null> {
  if (rateLimits === null) return null;
  const module = await import('../../adapters/http/exchange/rate-limiter.ts');
  return new module.RateLimiter(rateLimits, trustedProxies ?? [], () => log.warn(unknownProxy));
}
