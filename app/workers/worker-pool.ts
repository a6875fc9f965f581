import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { connectionTimeout, UnusableAddress } from '../../adapters/http/server/listen.ts';
import type { Readings } from '../../adapters/metrics/merged-metrics.ts';
import { UnusableStore } from '../../core/store/store.port.ts';
import type { Settings } from '../settings/settings.ts';
import type { Unusable } from './channel.ts';
import { watchHeartbeats } from './heartbeat.ts';
import { PassedConnections } from './passed-connections.ts';
import { RollingRestart } from './rolling-restart.ts';
import { WorkerHandle, type WorkerParts } from './worker-handle.ts';

/** The first and the maximum pause before a worker that could not start is started again, in milliseconds. */
const firstPause = 1000;
const maxPause = 30_000;

/** Milliseconds that a worker has to end beyond those of its settings, before it is killed. */
const stopMargin = 5000;

const workerFile = fileURLToPath(new URL('worker.js', import.meta.url));

const couldNotStart = 'a worker could not start';

/** The outcome of a worker's start. One that has ended before it knew whether it can listen has left a line in the log. */
type StartOutcome =
  { readonly kind: 'listening'; readonly worker: WorkerHandle } | Unusable | { readonly kind: 'ended' };

export interface PoolParts extends WorkerParts {
  readonly log: Logger;
  /** Called with the counts of a worker that has ended. */
  readonly keepReadings: (last: Readings) => void;
}

/** The workers of a server. Each that ends is replaced until the pool stops. */
export class WorkerPool {
  readonly #parts: PoolParts;
  #settings: Settings;
  readonly #workers = new Set<WorkerHandle>();
  readonly #passedConnections = new PassedConnections();
  readonly #rollingRestart: RollingRestart;
  readonly #stopping = new AbortController();
  #url = '';

  constructor(parts: PoolParts, settings: Settings) {
    this.#parts = parts;
    this.#settings = { ...settings, maxConnections: Math.ceil(settings.maxConnections / settings.workers) };
    this.#rollingRestart = new RollingRestart({
      log: parts.log,
      isStopping: () => this.#isStopping,
      listening: () => this.#listening(),
      startAnother: () => this.#startAnother(),
      onUnexpectedEnd: (worker, isReplaced) => this.#onUnexpectedEnd(worker, isReplaced),
      leaveTimeout: connectionTimeout(settings) + 2 * settings.shutdownDeadline + stopMargin,
    });
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({
      exec: workerFile,
      args: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
  }

  /**
   * Starts every worker, and returns the address of all once one listens and none is starting for the first time. Those that
   * have ended or hung meanwhile are replaced. Throws `UnusableAddress` and `UnusableStore`.
   */
  async start(): Promise<string> {
    if (this.#isStopping) return '';
    const stopWatching = watchHeartbeats(this.#workers, (worker) => this.#killHanging(worker));
    this.#stopping.signal.addEventListener('abort', stopWatching);
    // Workers end with this process by themselves, unless they hang.
    process.once('exit', () => this.#killAll());
    for (let pause = 0; !this.#isStopping; pause = longer(pause)) {
      await this.#sleep(pause);
      const first = await Promise.all(Array.from({ length: this.#settings.workers }, () => this.#startFirst()));
      const listened = first.filter((worker) => worker !== null);
      // One that has ended since may have had a port of its own, if the port is 0.
      const known = listened.find(({ isListening }) => isListening) ?? listened[0];
      if (known === undefined) continue;
      this.#url = known.url;
      for (const worker of listened) void this.#replaceAtEnd(worker);
      for (let missing = first.length - listened.length; missing > 0; missing -= 1) void this.#startUntilOneListens();
      return this.#url;
    }
    return '';
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

  /** Replaces the workers one by one, unless they are only starting. During a restart, one more can be requested. */
  restart(): void {
    if (this.#url !== '') this.#rollingRestart.request();
  }

  /** Lets every worker finish its requests in flight. Those that have not ended in time are killed. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const { shutdownNotice, shutdownDeadline } = this.#settings;
    const timer = setTimeout(() => this.#killAll(), shutdownNotice + shutdownDeadline + stopMargin);
    const all = [...this.#workers];
    for (const worker of all) void worker.stop();
    await Promise.all(all.map(({ ended }) => ended));
    clearTimeout(timer);
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #listening(): readonly WorkerHandle[] {
    return [...this.#workers].filter(({ isListening }) => isListening);
  }

  #killAll(): void {
    for (const worker of this.#workers) worker.kill();
  }

  /** Throws if the system starts no further process, and if the folder of the program is gone. */
  #add(): WorkerHandle {
    // Node would write to standard error by itself, between the lines of the log.
    if (!existsSync(workerFile)) throw new Error(`There is no file ${workerFile}.`);
    const worker = new WorkerHandle(this.#parts, this.#passedConnections);
    this.#workers.add(worker);
    void this.#removeAtEnd(worker);
    return worker;
  }

  async #removeAtEnd(worker: WorkerHandle): Promise<void> {
    await worker.ended;
    this.#workers.delete(worker);
    this.#parts.keepReadings(worker.lastReadings);
  }

  async #replaceAtEnd(worker: WorkerHandle): Promise<void> {
    await worker.ended;
    if (!worker.isReplacedByRestart) await this.#onUnexpectedEnd(worker, false);
  }

  async #onUnexpectedEnd(worker: WorkerHandle, isReplaced: boolean): Promise<void> {
    const end = await worker.ended;
    if (this.#isStopping) return;
    this.#parts.log.error({ worker: worker.pid, ...end }, 'a worker has ended and is replaced');
    if (!isReplaced) await this.#startUntilOneListens();
  }

  async #startUntilOneListens(): Promise<void> {
    for (let pause = 0; !this.#isStopping; pause = longer(pause)) {
      await this.#sleep(pause);
      if (await this.#startAnother()) return;
    }
  }

  /** Ends early when the pool stops. */
  async #sleep(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  #killHanging(worker: WorkerHandle): void {
    this.#parts.log.error({ worker: worker.pid }, 'a worker does not answer and is killed');
    worker.kill();
  }

  /** Returns whether it listens; otherwise the log says why it does not. */
  async #startAnother(): Promise<boolean> {
    if (this.#settings.port === 0) await this.#keepPort();
    if (this.#isStopping) return false;
    const outcome = await this.#startOne();
    if (outcome.kind === 'listening') {
      void this.#replaceAtEnd(outcome.worker);
      return true;
    }
    if (outcome.kind !== 'ended' && !this.#isStopping) {
      this.#parts.log.error({ reason: outcome.message }, couldNotStart);
    }
    return false;
  }

  /** Throws `UnusableAddress` and `UnusableStore`. */
  async #startFirst(): Promise<WorkerHandle | null> {
    const outcome = await this.#startOne();
    switch (outcome.kind) {
      case 'listening':
        return outcome.worker;
      case 'ended':
        return null;
      case 'unusable store':
        throw new UnusableStore(outcome.message);
      case 'unusable address':
        throw new UnusableAddress(outcome.message);
    }
  }

  async #startOne(): Promise<StartOutcome> {
    const { log } = this.#parts;
    let worker: WorkerHandle;
    try {
      worker = this.#add();
    } catch (err) {
      log.error({ err }, couldNotStart);
      return { kind: 'ended' };
    }
    const started = await worker.start(this.#settings);
    if (started.kind === 'listening') {
      log.info({ worker: worker.pid }, 'a worker listens');
      return { kind: 'listening', worker };
    }
    if (started.kind === 'ended' && !this.#isStopping) {
      const { code, signal } = started;
      log.error({ worker: worker.pid, reason: 'It has ended.', code, signal }, couldNotStart);
    }
    return started;
  }

  /** Names the port that 0 has become, once nobody listens: 0 would then mean another one. */
  async #keepPort(): Promise<void> {
    await this.readings(); // Others may have ended at the same time, which is known once they cannot be asked.
    if (this.#listening().length > 0) return;
    this.#settings = { ...this.#settings, port: Number(new URL(this.#url).port || 80) };
  }
}

function longer(pause: number): number {
  return Math.min(Math.max(pause * 2, firstPause), maxPause);
}
