import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { UnusableAddress } from '../../adapters/http/server/listen.ts';
import type { Readings } from '../../adapters/metrics/merged-metrics.ts';
import { UnusableStore } from '../../core/store/unusable-store.ts';
import type { Settings } from '../settings/settings.ts';
import type { Started } from './protocol.ts';
import { WorkerHandle, type WorkerParts } from './worker-handle.ts';

/** The first and the maximum pause before a worker that could not start is started again, in milliseconds. */
const firstPause = 1000;
const maxPause = 30_000;

/** Milliseconds that a worker has beyond the shutdown deadline before it is killed. */
const stopMargin = 5000;

export interface PoolParts extends WorkerParts {
  readonly log: Logger;
  /** Called with what a worker had counted when it ended. */
  readonly keepReadings: (last: Readings) => void;
}

/** The workers of a server. One that ends is replaced until the pool stops. */
export class WorkerPool {
  readonly #parts: PoolParts;
  #settings: Settings;
  readonly #workers = new Set<WorkerHandle>();
  #mode: 'starting' | 'serving' | 'stopping' = 'starting';
  #pause = 0;
  #url = '';

  constructor(parts: PoolParts, settings: Settings) {
    this.#parts = parts;
    this.#settings = { ...settings, maxConnections: Math.ceil(settings.maxConnections / settings.workers) };
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({
      exec: fileURLToPath(new URL('worker.js', import.meta.url)),
      args: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
  }

  /** Starts every worker, and returns the address of all. Throws `UnusableAddress` and `UnusableStore`. */
  async start(): Promise<string> {
    if (this.#mode === 'stopping') return '';
    const all = Array.from({ length: this.#settings.workers }, () => this.#add());
    const [url = ''] = await Promise.all(all.map(async (worker) => urlOf(await worker.start(this.#settings))));
    if (this.#mode === 'starting') this.#serve(url);
    return url;
  }

  /** Whether every worker that listens takes requests, and at least one does. */
  async ready(): Promise<boolean> {
    const listening = this.#listening();
    const answers = await Promise.all(listening.map((worker) => worker.ready()));
    return listening.length > 0 && answers.every(Boolean);
  }

  readings(): Promise<readonly Readings[]> {
    return Promise.all([...this.#workers].map((worker) => worker.readings()));
  }

  /** Lets every worker finish its requests in flight. Those that have not ended in time are killed. */
  async stop(): Promise<void> {
    this.#mode = 'stopping';
    const { shutdownNotice, shutdownDeadline } = this.#settings;
    const killAll = (): void => this.#workers.forEach((worker) => worker.kill());
    const timer = setTimeout(killAll, shutdownNotice + shutdownDeadline + stopMargin);
    const all = [...this.#workers];
    for (const worker of all) void worker.stop();
    await Promise.all(all.map(({ ended }) => ended));
    clearTimeout(timer);
  }

  #serve(url: string): void {
    this.#mode = 'serving';
    this.#url = url;
    // Some may have ended again while others were starting.
    for (let missing = this.#settings.workers - this.#workers.size; missing > 0; missing -= 1) void this.#replace();
  }

  #listening(): readonly WorkerHandle[] {
    return [...this.#workers].filter(({ isListening }) => isListening);
  }

  #add(): WorkerHandle {
    const worker = new WorkerHandle(this.#parts);
    this.#workers.add(worker);
    void this.#watch(worker);
    return worker;
  }

  async #watch(worker: WorkerHandle): Promise<void> {
    const end = await worker.ended;
    this.#workers.delete(worker);
    this.#parts.keepReadings(worker.lastReadings);
    if (this.#mode !== 'serving') return;
    this.#parts.log.error({ worker: worker.pid, ...end }, 'a worker has ended and is replaced');
    await this.#replace();
  }

  async #replace(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#pause).unref());
    if (this.#mode !== 'serving') return;
    if (this.#settings.port === 0) await this.#keepPort();
    const worker = this.#add();
    this.#pause = Math.min(Math.max(this.#pause * 2, firstPause), maxPause);
    const started = await worker.start(this.#settings).catch(() => null);
    if (started === null) return; // It has ended, which has been noticed.
    if (started.kind === 'listening') {
      this.#pause = 0;
      this.#parts.log.info({ worker: worker.pid }, 'a worker has taken its place');
    } else {
      this.#parts.log.error({ worker: worker.pid, reason: started.message }, 'a worker could not start');
      worker.kill();
    }
  }

  /** Names the port that 0 has become, once nobody listens: 0 would then mean another one. */
  async #keepPort(): Promise<void> {
    await this.readings(); // Others may have ended at the same time, which is known once they cannot be asked.
    if (this.#listening().length > 0) return;
    this.#settings = { ...this.#settings, port: Number(new URL(this.#url).port || 80) };
  }
}

function urlOf(started: Started): string {
  switch (started.kind) {
    case 'listening':
      return started.url;
    case 'unusable address':
      throw new UnusableAddress(started.message);
    case 'unusable store':
      throw new UnusableStore(started.message);
  }
}
