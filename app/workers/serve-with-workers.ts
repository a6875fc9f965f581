import { LocalLimitCounts } from '../../adapters/http/limits/limit-counts.ts';
import type { MergedMetrics } from '../../adapters/metrics/merged-metrics.ts';
import { loadAskedMails, type AskedMails, type NewAskedMails } from '../receivers/ask-for-keys.ts';
import type { AdminPorts, ServerMetrics } from '../server/admin-port.ts';
import { createClockWatch, firstLook, startBackground } from '../server/background.ts';
import { BaseUrl } from '../server/http-port.ts';
import type { ServeParts } from '../server/serve.ts';
import type { ServerParts } from '../server/server.ts';
import { aborted, createService, openServingStore, Readiness } from '../server/serving-process.ts';
import { upgradeLog } from '../service/logger.ts';
import { newCall, onHangup } from '../service/process.ts';
import { release } from '../service/release.ts';
import { tokens } from '../service/tokens.ts';
import type { Settings } from '../settings/settings.ts';
import { RequestLoans } from './request-loans.ts';
import { WorkerPool } from './worker-pool.ts';

/**
 * Serves until `stopping` is aborted, with several workers on the public port. This process, the primary, distributes the
 * connections, counts for the limits, serves the admin port and does the work beside the requests. Throws `UnusableStore`
 * and `UnusableAddress`.
 */
export async function serveWithWorkers(
  settings: Settings,
  { clock, log, stopping }: ServeParts,
  onServing: (url: string) => void = () => undefined,
): Promise<void> {
  if (stopping.aborted) return;
  const store = await openServingStore(settings, clock, upgradeLog(log));
  try {
    const service = await createService(store.ports, settings, 'no catalog');
    const primary = await Primary.create({ ...service, store, clock, log }, settings);
    if (!(await primary.serve(stopping, onServing))) return;
  } finally {
    await store.close();
  }
  log.info('stopped');
}

/** Where a server listens, as its log says it. */
interface Listening {
  readonly release: string;
  readonly address: string;
  readonly admin: string | null;
  /** Absent without a port of merchants. */
  readonly merchants?: string;
}

/** The process that the workers of a server have in common. */
class Primary {
  readonly #parts: ServerParts;
  readonly #settings: Settings;
  readonly #readiness: Readiness;
  readonly #baseUrl: BaseUrl;
  /** Adds the measurements of the workers to those of this process; null without an admin port. */
  readonly #merged: MergedMetrics | null;
  readonly #pool: WorkerPool;
  readonly #asked: AskedMails;

  private constructor(
    parts: ServerParts,
    settings: Settings,
    { merged, newAskedMails }: { readonly merged: MergedMetrics | null; readonly newAskedMails: NewAskedMails },
  ) {
    this.#parts = parts;
    this.#settings = settings;
    this.#merged = merged;
    this.#readiness = new Readiness(parts.store, async () => true);
    this.#baseUrl = new BaseUrl(settings.publicUrl);
    this.#asked = newAskedMails(parts, settings, this.#url);
    const { log } = parts;
    this.#pool = new WorkerPool(
      {
        guesses: new LocalLimitCounts({}),
        loans: new RequestLoans(settings.rateLimits === 'off' ? {} : settings.rateLimits, settings.workers),
        ready: this.#ready,
        // Asked for by the pages that there are only where this is.
        askForKeys: async (...asked) => this.#asked.keys?.ask(...asked) ?? null,
        askForLink: async (...asked) => this.#asked.links?.ask(...asked) ?? null,
        trustsClock: async () => parts.container.get(tokens.clockTrust).trusts(),
        onFault: (err) => log.error({ err }, 'the primary and a worker could not communicate'),
        log,
        keepReadings: (last) => merged?.keep(last),
      },
      settings,
    );
  }

  static async create(parts: ServerParts, settings: Settings): Promise<Primary> {
    const merged = parts.metrics === null ? null : await mergedMetrics();
    return new Primary(parts, settings, { merged, newAskedMails: await loadAskedMails(settings) });
  }

  /** Returns false if it was stopped before the workers listened. */
  async serve(stopping: AbortSignal, onServing: (url: string) => void): Promise<boolean> {
    const { log, store } = this.#parts;
    const adminPorts = await this.#createAdminPorts();
    const endRestarts = onHangup(() => this.#pool.restart());
    const watch = createClockWatch(this.#parts, this.#settings);
    try {
      await Promise.race([firstLook(watch), aborted(stopping)]);
      const started = await Promise.race([this.#listen(adminPorts), aborted(stopping)]);
      if (started === undefined) return false;
      const { workers } = this.#settings;
      log.info({ ...started, store: store.description, workers }, 'serving');
      const stopBackground = startBackground({ ...this.#parts, baseUrl: this.#url }, this.#settings, undefined, watch);
      try {
        onServing(started.address);
        await aborted(stopping);
        log.info('stopping');
        this.#readiness.stop();
        adminPorts?.drain();
        await this.#pool.stop();
      } finally {
        await stopBackground();
      }
      return true;
    } finally {
      endRestarts();
      await this.#pool.stop();
      this.#asked.keys?.stop();
      this.#asked.links?.stop();
      // Last, so that the metrics of a stopping server can be read.
      await adminPorts?.close(this.#settings.shutdownDeadline);
      this.#parts.metrics?.close();
    }
  }

  /** Listens on the admin port, and then lets the workers listen. */
  async #listen(adminPorts: AdminPorts | null): Promise<Listening> {
    const { admin = null, merchants = null } = (await adminPorts?.listen(this.#settings)) ?? {};
    const address = await this.#pool.start();
    this.#baseUrl.listensOn(address);
    return { release, address, admin, ...(merchants !== null && { merchants }) };
  }

  async #createAdminPorts(): Promise<AdminPorts | null> {
    const { metrics: own } = this.#parts;
    const merged = this.#merged;
    if (own === null || merged === null) return null;
    const { createAdminPorts } = await import('../server/admin-port.ts');
    const metrics: ServerMetrics = {
      expectOperations: (operations) => own.expectOperations(operations),
      request: own.request,
      text: (call) =>
        merged.text(async () => {
          const [primary, workers] = await Promise.all([own.readings(call), this.#pool.readings()]);
          return [primary, ...workers];
        }),
    };
    return createAdminPorts(this.#parts, this.#settings, {
      baseUrl: this.#baseUrl,
      ready: this.#ready,
      metrics,
      askAtDesk: this.#asked.keys?.askAtDesk ?? null,
    });
  }

  readonly #url = (): string => this.#baseUrl.value;

  /** Whether every process takes requests. */
  readonly #ready = async (): Promise<boolean> => {
    const call = newCall(this.#parts.clock(), this.#settings.storeDeadline, 'clock');
    const answers = await Promise.all([this.#readiness.check(call).catch(() => false), this.#pool.ready()]);
    return answers.every(Boolean);
  };
}

async function mergedMetrics(): Promise<MergedMetrics> {
  const { MergedMetrics } = await import('../../adapters/metrics/merged-metrics.ts');
  return new MergedMetrics();
}
