import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import module from 'node:module';
import { dirname } from 'node:path';
import type { LimitCounts } from '../../adapters/http/limits/limit-counts.ts';
import type { Readings } from '../../adapters/metrics/merged-metrics.ts';
import type { Settings } from '../settings/settings.ts';
import { Channel } from './channel.ts';
import type { PassedConnections } from './passed-connections.ts';
import type { PrimaryFunctions, Started, WorkerFunctions } from './protocol.ts';
import { forEachLine } from './whole-lines.ts';
import { WorkerLimits } from './worker-limits.ts';

/** What workers have in common. */
export interface WorkerParts {
  readonly limitCounts: LimitCounts;
  /** Whether every process takes requests. */
  readonly ready: () => Promise<boolean>;
  readonly writeLogLine: (line: string) => void;
  readonly onFault: (error: unknown) => void;
}

/** How a process has ended. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** How a worker has answered when it was asked for signs of life. */
export interface Beats {
  /** Whether it has yet to listen. */
  readonly isStarting: boolean;
  /** How many times it was asked, and how many of them since it last answered. */
  readonly asked: number;
  readonly missed: number;
}

/** Milliseconds that a worker has to answer what it knows without its store. */
const answerTimeout = 1000;

/** A worker, as its primary sees it. */
export class WorkerHandle {
  readonly pid: number;
  /** Settles once it has ended and everything that it wrote has been read. */
  readonly ended: Promise<WorkerEnd>;
  /** Where it listens; empty until it does. */
  url = '';
  /** Whether it takes connections. */
  isListening = false;
  hasEnded = false;
  /** Whether a restart replaces it, so that nothing else does when it ends. */
  isRetired = false;
  /** What it had counted when it last answered. */
  lastReadings: Readings = [];
  #hasStarted = false;
  #askedBeats = 0;
  #missedBeats = 0;
  readonly #worker = cluster.fork(compileCache());
  readonly #channel: Channel<WorkerFunctions>;

  /** Throws if the system starts no further process. */
  constructor({ limitCounts, ready, writeLogLine, onFault }: WorkerParts, passedConnections: PassedConnections) {
    const { process: child } = this.#worker;
    const limits = new WorkerLimits(limitCounts);
    const { request, guessesSpent, takeGuess, endGuess } = limits;
    const own: PrimaryFunctions = { request, guessesSpent, takeGuess, endGuess, ready };
    // Such as a system that allows no further process.
    this.#worker.on('error', onFault);
    if (child.pid === undefined) throw new Error('No process could be started.');
    this.pid = child.pid;
    this.#channel = new Channel<WorkerFunctions>(this.#worker, own, onFault);
    if (child.stderr !== null) forEachLine(child.stderr, writeLogLine);
    passedConnections.watch(child);
    child.once('exit', () => {
      this.isListening = false;
      this.hasEnded = true;
      this.#channel.close();
      limits.end();
    });
    this.ended = closed(child);
  }

  /** Rejects if it ends before it knows whether it can listen. */
  async start(settings: Settings): Promise<Started> {
    const started = await this.#channel.call('start', settings);
    if (started.kind === 'listening') {
      this.url = started.url;
      this.#hasStarted = true;
      this.isListening = true;
    }
    return started;
  }

  /** Whether it has started and not ended. */
  get canAnswer(): boolean {
    return !this.hasEnded && this.#hasStarted;
  }

  /** Asks for a sign of life. */
  beat(): Beats {
    const onBeat = (): void => {
      this.#missedBeats = 0;
    };
    this.#channel.call('beat').then(onBeat, () => undefined);
    this.#askedBeats += 1;
    this.#missedBeats += 1;
    return { isStarting: !this.#hasStarted, asked: this.#askedBeats, missed: this.#missedBeats };
  }

  /** Whether it takes requests; true once it has ended, because others then take them. */
  ready(): Promise<boolean> {
    return this.#channel.call('ready').catch(() => !this.isListening);
  }

  /** What it has counted. If it does not answer in time, what it had when it last answered. */
  async readings(): Promise<Readings> {
    if (!this.canAnswer) return this.lastReadings;
    const late = Promise.withResolvers<Readings>();
    const timer = setTimeout(() => late.resolve(this.lastReadings), answerTimeout);
    try {
      this.lastReadings = await Promise.race([this.#channel.call('readings'), late.promise]);
    } catch {
      // It has ended.
    } finally {
      clearTimeout(timer);
    }
    return this.lastReadings;
  }

  /** Leaves new connections to others. Resolves when it has ended, once those that it has are closed. */
  async retire(): Promise<void> {
    this.isListening = false;
    await this.#endBy('retire');
  }

  /** Lets it finish the requests in flight and end. */
  async stop(): Promise<void> {
    if (this.canAnswer) await this.#endBy('stop');
    else this.kill();
  }

  async #endBy(way: 'retire' | 'stop'): Promise<void> {
    try {
      this.lastReadings = await this.#channel.call(way);
      await this.#channel.call('end');
    } catch {
      // It has ended.
    }
    await this.ended;
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }
}

/** Lets a worker load as fast as this process: Node adds a folder for its version to the one that it is given. */
function compileCache(): Record<string, string> {
  const folder = module.getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

function closed(child: ChildProcess): Promise<WorkerEnd> {
  const { promise, resolve } = Promise.withResolvers<WorkerEnd>();
  child.once('close', (code, signal) => resolve({ code, signal }));
  return promise;
}
