import type { CorsOrigins } from '../../adapters/http/cors.ts';
import { parseDuration } from '../../core/duration.ts';
import { retentionFor, type Retention } from '../../core/idempotency/retention.ts';
import type { ResolvedSettings } from './resolve.ts';
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
  readonly shutdownDeadline: number;
  readonly maxConnections: number;
  readonly logFormat: string;
}

export function settingsOf(resolved: ResolvedSettings): Settings {
  const text = (name: SettingName): string => String(resolved[name].value);
  const duration = (name: SettingName): number => parseDuration(text(name)) ?? 0;
  const publicUrl = resolved.publicUrl.value;
  return {
    store: text('store'),
    host: text('host'),
    port: Number(resolved.port.value),
    publicUrl: publicUrl === null ? null : String(publicUrl).replace(/\/$/, ''),
    corsOrigins:
      text('corsOrigins') === '*'
        ? '*'
        : text('corsOrigins')
            .split(',')
            .map((origin) => origin.trim()),
    storeDeadline: duration('storeDeadline'),
    retention: retentionFor(duration('idempotencyTtl')),
    catalogMaxAge: duration('catalogMaxAge'),
    shutdownDeadline: duration('shutdownDeadline'),
    maxConnections: Number(resolved.maxConnections.value),
    logFormat: text('logFormat'),
  };
}
