import type { Settings } from './settings.ts';

/** Milliseconds after which a connection that accepts no further request has ended by itself. */
export function connectionTimeout(settings: Pick<Settings, 'keepAliveTimeout' | 'requestTimeout'>): number {
  return Math.max(settings.keepAliveTimeout, settings.requestTimeout);
}
