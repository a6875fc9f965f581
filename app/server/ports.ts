import type { RateLimiter } from '../../adapters/http/exchange/rate-limiter.ts';
import type { LimitCounts } from '../../adapters/http/limits/limit-counts.ts';
import type { RateLimits } from '../../adapters/http/limits/rate-limits.ts';
import type { Ready } from '../../adapters/http/operations/service-operations.ts';
import type { ListenerSettings } from '../../adapters/http/server/listener.ts';
import type { Settings } from '../settings/settings.ts';
import { BaseUrl } from './base-url.ts';
import { HttpPort, type HttpPortParts } from './http-port.ts';
import { publicOperations } from './operations.ts';
import type { ServedPages } from './page-operations.ts';
import type { Service } from './serving-process.ts';

/** All settings, and a limit that only tests change. */
export type ServerSettings = Settings & Pick<ListenerSettings, 'requestsPerConnection'>;

const unknownProxy =
  'a request was forwarded by a proxy, but TRUSTED_PROXIES is not set: all clients behind a proxy share one rate limit';

/** What the public port of a process may share with other processes of the same server. */
export interface SharedParts {
  readonly ready: Ready;
  /** Null if the port counts for itself. */
  readonly limitCounts: LimitCounts | null;
}

/** Creates the port of the interface in the specification. */
export async function createPublicPort(
  parts: HttpPortParts & SharedParts & Service,
  settings: ServerSettings,
): Promise<HttpPort> {
  const { ready, limitCounts, metrics } = parts;
  const baseUrl = new BaseUrl(settings.publicUrl);
  const url = (): string => baseUrl.value;
  const pages = settings.pages === 'on' ? await createPages(parts, settings, url) : null;
  const operations = [...publicOperations(parts.container, settings, url, ready), ...(pages?.operations ?? [])];
  metrics?.expectOperations(operations.map(({ id }) => id));
  return new HttpPort(parts, {
    ...settings,
    flag: '--port',
    hasMetadata: true,
    operations,
    pages: pages?.ofPort ?? null,
    baseUrl,
    rateLimiter: await createRateLimiter(parts, settings, limitCounts),
    ...(metrics === null ? {} : { observe: metrics.request, onRefusedConnection: metrics.refusedConnection }),
  });
}

async function createPages({ container }: HttpPortParts, settings: Settings, url: () => string): Promise<ServedPages> {
  const { servedPages } = await import('./page-operations.ts');
  return servedPages(container, settings, url);
}

/** Creates the rate limiter of one port; null if rate limits are off. Without `counts`, the port counts for itself. */
export async function createRateLimiter(
  { log }: HttpPortParts,
  { rateLimits, trustedProxies }: Settings,
  counts: LimitCounts | null = null,
): Promise<RateLimiter | null> {
  if (rateLimits === 'off') return null;
  const { RateLimiter } = await import('../../adapters/http/exchange/rate-limiter.ts');
  const onUnknownProxy = (): void => log.warn(unknownProxy);
  return new RateLimiter(counts ?? (await countHere(rateLimits)), trustedProxies ?? [], onUnknownProxy);
}

async function countHere(limits: RateLimits): Promise<LimitCounts> {
  const { LocalLimitCounts } = await import('../../adapters/http/limits/limit-counts.ts');
  return new LocalLimitCounts(limits);
}
