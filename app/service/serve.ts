import { once } from 'node:events';
import type { Logger } from 'pino';
import type { Clock } from '../../core/call.ts';
import { retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import { newCall } from './new-call.ts';
import { createContainer } from './container.ts';
import { startServer } from './server.ts';
import type { Settings } from '../settings/settings.ts';
import { openStore } from '../stores/open-store.ts';
import { release } from './release.ts';

/**
 * Serves until the process is told to stop, then finishes what is in flight and closes the store. A second signal
 * ends the process at once. Throws `UnusableStore` for a store that cannot be opened, and `UnusableAddress`.
 */
export async function serve(
  settings: Settings,
  clock: Clock,
  log: Logger,
  onServing: (url: string) => Promise<void> = async () => {},
): Promise<void> {
  const signal = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  const call = newCall(clock(), settings.storeDeadline);
  const store = await openStore(settings.store, { create: true }, retentionFor(settings.idempotencyTtl), call);
  try {
    const server = await startServer({ container: createContainer(store.ports), store, clock, log }, settings);
    log.info({ release, address: server.url, admin: server.adminUrl, store: store.description }, 'serving');
    await onServing(server.url);
    await signal;
    endAtNextSignal();
    log.info('stopping');
    await server.stop(settings.shutdownDeadline);
  } finally {
    await store.close();
  }
  log.info('stopped');
}

/** npm and terminals pass one signal on twice: what follows within a second is the same one. */
function endAtNextSignal(): void {
  const first = performance.now();
  const end = (): void => {
    if (performance.now() - first > 1000) process.exit(1);
  };
  process.on('SIGTERM', end).on('SIGINT', end);
}
