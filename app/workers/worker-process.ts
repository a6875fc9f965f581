import { UnusableAddress } from '../../adapters/http/server/listen.ts';
import type { Readings } from '../../adapters/metrics/merged-metrics.ts';
import type { Metrics } from '../../adapters/metrics/metrics.ts';
import type { Clock } from '../../core/call.ts';
import { UnusableStore, type Store } from '../../core/store/store.port.ts';
import { mailsAffiliateLinks, mailsLostKeys } from '../receivers/ask-for-keys.ts';
import { startServer, type RunningServer, type SharedParts } from '../server/server.ts';
import { createService, openServingStore } from '../server/serving-process.ts';
import { endProcess, endWithFault, loadLogging, newCall } from '../service/process.ts';
import { tokens } from '../service/tokens.ts';
import { holdYoungGeneration } from '../service/young-generation.ts';
import type { Settings } from '../settings/settings.ts';
import { BorrowedRequests } from './borrowed-requests.ts';
import { Channel, type OtherProcess, type PrimaryFunctions, type Started, type WorkerFunctions } from './channel.ts';

const clock: Clock = () => new Date();

/** Serves the public port in this process, as the primary says. */
export function runWorker(): WorkerProcess {
  process.on('uncaughtException', (fault) => void endWithFault(fault));
  return new WorkerProcess(process as OtherProcess);
}

/** A worker in its own process. */
class WorkerProcess {
  readonly #primary: Channel<PrimaryFunctions>;
  #running: { readonly settings: Settings; readonly server: RunningServer; readonly store: Store } | null = null;
  #metrics: Metrics | null = null;

  constructor(primary: OtherProcess) {
    const own: WorkerFunctions = {
      start: (settings) => this.start(settings).catch(endWithFault),
      ready: () => this.ready(),
      readings: () => this.readings(),
      beat: () => undefined,
      retire: () => this.retire().catch(endWithFault),
      stop: () => this.stop().catch(endWithFault),
      end: () => void endProcess(0),
    };
    this.#primary = new Channel<PrimaryFunctions>(primary, own, (fault) => void endWithFault(fault));
  }

  async start(settings: Settings): Promise<Started> {
    let store: Store | null = null;
    try {
      store = await openServingStore(settings, clock);
      const server = await this.#listen(settings, store);
      this.#running = { settings, server, store };
      return { kind: 'listening', url: server.url };
    } catch (error) {
      await store?.close();
      if (error instanceof UnusableAddress) return { kind: 'unusable address', message: error.message };
      if (error instanceof UnusableStore) return { kind: 'unusable store', message: error.message };
      throw error;
    }
  }

  async ready(): Promise<boolean> {
    if (this.#running === null) return false;
    const { server, settings } = this.#running;
    return server.ready(newCall(clock(), settings.storeDeadline, 'clock')).catch(() => false);
  }

  async readings(): Promise<Readings> {
    // The primary shows the metrics of the store.
    return this.#metrics?.readings(null) ?? [];
  }

  async retire(): Promise<Readings> {
    await this.#running?.server.retire(this.#running.settings.shutdownDeadline);
    return this.#close();
  }

  async stop(): Promise<Readings> {
    await this.#running?.server.stop(this.#running.settings.shutdownDeadline);
    return this.#close();
  }

  async #close(): Promise<Readings> {
    const readings = await this.readings();
    const store = this.#running?.store;
    this.#running = null;
    await store?.close();
    return readings;
  }

  async #listen(settings: Settings, store: Store): Promise<RunningServer> {
    const { createLogger } = await loadLogging();
    const log = await createLogger(settings.logFormat, settings.logLevel, 'shared');
    const service = await createService(store.ports, settings);
    service.container.get(tokens.clockTrust).askOf(() => this.#primary.call('trustsClock'));
    this.#metrics = service.metrics;
    // Until the catalog is loaded, the other workers take its requests, or those that this one is to replace.
    const catalog = { holdMemory: holdYoungGeneration, loadsFirst: true };
    const parts = { ...service, store, clock, log, shared: this.#askPrimary(settings), ...catalog };
    return startServer(parts, { ...settings, adminPort: null });
  }

  /** Lets the primary answer what is true of all processes: it counts for them, and knows whether each is ready. */
  #askPrimary(settings: Settings): SharedParts {
    const { rateLimits } = settings;
    const primary = this.#primary;
    const requests = new BorrowedRequests(rateLimits === 'off' ? {} : rateLimits, {
      lend: (wanted) => primary.call('lend', wanted),
    });
    return {
      ready: () => primary.call('ready'),
      askForMails: {
        keys: mailsLostKeys(settings) ? (...asked) => primary.call('askForKeys', ...asked) : null,
        links: mailsAffiliateLinks(settings) ? (...asked) => primary.call('askForLink', ...asked) : null,
      },
      limitCounts: {
        request: requests.request,
        guessesSpent: (address) => primary.call('guessesSpent', address),
        takeGuess: (address) => primary.call('takeGuess', address),
        endGuess: (address, isRefused) => void primary.call('endGuess', address, isRefused),
      },
    };
  }
}
