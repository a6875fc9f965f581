import { RateLimiter } from '../../adapters/http/exchange/rate-limiter.ts';
import type { ListenerSettings } from '../../adapters/http/server/listener.ts';
import type { Metrics } from '../../adapters/metrics/metrics.ts';
import { defaultSettings } from '../settings/resolve.ts';
import type { Settings } from '../settings/settings.ts';
import { BaseUrl } from './base-url.ts';
import { HttpPort, type HttpPortParts } from './http-port.ts';
import { adminOperations, publicOperations } from './operations.ts';
import type { Readiness } from './readiness.ts';

/** All settings, and a limit that only tests change. */
export type ServerSettings = Settings & Pick<ListenerSettings, 'requestsPerConnection'>;

const unknownProxy =
  'a request was forwarded by a proxy, but TRUSTED_PROXIES is not set: all clients behind a proxy share one rate limit';

/** Creates the port of the interface in the specification. `metrics` is null if requests are not measured. */
export function createPublicPort(
  parts: HttpPortParts,
  settings: ServerSettings,
  readiness: Readiness,
  metrics: Metrics | null,
): HttpPort {
  const { publicUrl, rateLimits, trustedProxies } = settings;
  const baseUrl = new BaseUrl(publicUrl);
  const onUnknownProxy = (): void => parts.log.warn(unknownProxy);
  return new HttpPort(parts, {
    ...settings,
    flag: '--port',
    operations: publicOperations(parts.container, settings, () => baseUrl.value, readiness.check),
    baseUrl,
    rateLimiter: rateLimits === null ? null : new RateLimiter(rateLimits, trustedProxies ?? [], onUnknownProxy),
    ...(metrics === null ? {} : { observe: metrics.request }),
  });
}

/** Creates the port of the metrics and the probes. Its timeouts and limits are the defaults. */
export function createAdminPort(
  parts: HttpPortParts,
  { corsOrigins, storeDeadline }: Settings,
  readiness: Readiness,
  metrics: Metrics,
): HttpPort {
  return new HttpPort(parts, {
    ...defaultSettings,
    corsOrigins,
    storeDeadline,
    flag: '--admin-port',
    operations: adminOperations(metrics, readiness.check),
    baseUrl: new BaseUrl(null),
    rateLimiter: null,
  });
}
