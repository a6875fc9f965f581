import type { CorsOrigins } from '../../adapters/http/exchange/cors.ts';
import type { RateLimits } from '../../adapters/http/exchange/rate-limiter.ts';
import { retentionFor, type Retention } from '../../core/entitlement/idempotency/retention.ts';
import { millisecondsOf, parseRateLimits } from './formats.ts';
import type { ResolvedSettings } from './resolved.ts';
import type { SettingName } from './schema.ts';

/** The settings as the program uses them. Durations are milliseconds. */
export interface Settings {
  readonly store: string;
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | null;
  readonly corsOrigins: CorsOrigins;
  readonly storeDeadline: number;
  readonly retention: Retention;
  readonly catalogMaxAge: number;
  readonly adminPort: number | null;
  readonly shutdownNotice: number;
  readonly shutdownDeadline: number;
  readonly maxConnections: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly rateLimits: RateLimits | null;
  readonly trustedProxies: readonly string[];
  readonly logFormat: string;
}

export function settingsOf(resolved: ResolvedSettings): Settings {
  const text = (name: SettingName): string => String(resolved[name].value);
  const duration = (name: SettingName): number => millisecondsOf(resolved[name].value);
  const parts = (name: SettingName): readonly string[] =>
    text(name)
      .split(',')
      .map((part) => part.trim());
  const publicUrl = resolved.publicUrl.value;
  return {
    store: text('store'),
    host: text('host'),
    port: Number(resolved.port.value),
    publicUrl: publicUrl === null ? null : String(publicUrl).replace(/\/$/, ''),
    corsOrigins: text('corsOrigins') === '*' ? '*' : parts('corsOrigins'),
    storeDeadline: duration('storeDeadline'),
    retention: retentionFor(duration('idempotencyTtl')),
    catalogMaxAge: duration('catalogMaxAge'),
    adminPort: resolved.adminPort.value === null ? null : Number(resolved.adminPort.value),
    shutdownNotice: duration('shutdownNotice'),
    shutdownDeadline: duration('shutdownDeadline'),
    maxConnections: Number(resolved.maxConnections.value),
    headersTimeout: duration('headersTimeout'),
    requestTimeout: duration('requestTimeout'),
    keepAliveTimeout: duration('keepAliveTimeout'),
    rateLimits: parseRateLimits(text('rateLimits')) ?? null,
    trustedProxies: resolved.trustedProxies.value === null ? [] : parts('trustedProxies'),
    logFormat: text('logFormat'),
  };
}
