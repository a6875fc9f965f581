import type { Logger } from 'pino';
import type { Clock } from '../../core/call.ts';
import { upgradeLog } from '../service/logger.ts';
import { release } from '../service/release.ts';
import { holdYoungGeneration } from '../service/young-generation.ts';
import type { Settings } from '../settings/settings.ts';
import { createClockWatch, firstLook, startBackground } from './background.ts';
import { startServer, type RunningServer, type ServerParts } from './server.ts';
import { aborted, createService, openServingStore } from './serving-process.ts';

export interface ServeParts {
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the server must stop; before it listens, too. */
  readonly stopping: AbortSignal;
}

/**
 * Serves until `stopping` is aborted, then finishes the requests in flight and closes the store. Throws `UnusableStore`
 * and `UnusableAddress`.
 */
export async function serve(
  settings: Settings,
  { clock, log, stopping }: ServeParts,
  onServing: (
    url: string,
    adminUrl: string | null,
    loaded: RunningServer['loaded'],
    merchantUrl: string | null,
  ) => void = () => undefined,
): Promise<void> {
  if (stopping.aborted) return;
  const store = await openServingStore(settings, clock, upgradeLog(log));
  try {
    const service = await createService(store.ports, settings);
    const parts = { ...service, store, clock, log, holdMemory: holdYoungGeneration };
    const watch = createClockWatch(parts, settings);
    await Promise.race([firstLook(watch), aborted(stopping)]);
    const server = await startUnlessStopped(parts, settings, stopping);
    if (server === null) return;
    const { url: address, adminUrl: admin, merchantUrl: merchants } = server;
    const ofMerchants = merchants === null ? {} : { merchants };
    log.info({ release, address, admin, ...ofMerchants, store: store.description }, 'serving');
    const baseUrl = (): string => settings.publicUrl ?? address;
    const stopBackground = startBackground({ ...parts, baseUrl }, settings, undefined, watch);
    try {
      onServing(server.url, server.adminUrl, server.loaded, server.merchantUrl);
      await aborted(stopping);
      log.info('stopping');
      await server.stop(settings.shutdownDeadline);
    } finally {
      await stopBackground();
    }
  } finally {
    await store.close();
  }
  log.info('stopped');
}

/** Returns null if the server was stopped before it listened. */
async function startUnlessStopped(
  parts: ServerParts,
  settings: Settings,
  stopping: AbortSignal,
): Promise<RunningServer | null> {
  try {
    return await startServer(parts, settings, stopping);
  } catch (error) {
    if (error === stopping.reason) return null;
    throw error;
  }
}
