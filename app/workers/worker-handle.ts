import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import module from 'node:module';
import { dirname } from 'node:path';
import type { GuessLimitCounts } from '../../adapters/http/limits/limit-counts.ts';
import type { Readings } from '../../adapters/metrics/merged-metrics.ts';
import type { AskForMail } from '../receivers/lost-keys.ts';
import type { Settings } from '../settings/settings.ts';
import { Channel, type PrimaryFunctions, type Started, type WorkerFunctions } from './channel.ts';
import type { PassedConnections } from './passed-connections.ts';
import type { RequestLoans } from './request-loans.ts';
import { WorkerGuesses } from './worker-guesses.ts';

/** The parts that workers have in common. */
export interface WorkerParts {
  readonly guesses: GuessLimitCounts;
  readonly loans: RequestLoans;
  /** Whether every process takes requests. */
  readonly ready: () => Promise<boolean>;
  /** Has lost keys mailed. */
  readonly askForKeys: AskForMail;
  /** Has an affiliate mailed a link. */
  readonly askForLink: AskForMail;
  /** Whether the clock of this machine is trusted. */
  readonly trustsClock: () => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
}

/** The end of a process. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** The heartbeats that a worker was asked for. */
export interface Beats {
  /** Whether it has yet to listen. */
  readonly isStarting: boolean;
  /** The number of questions to it, and of those since its last answer. */
  readonly asked: number;
  readonly missed: number;
}

/**
 * The state of a worker: it loads the program and its store, takes connections, or takes no more and finishes those that
 * it has. Each state follows the one before; from any of them a worker may end.
 */
export type WorkerState = 'starting' | 'listening' | 'leaving' | 'ended';

/** The time that a worker may take to report facts that it knows without its store, in milliseconds. */
const answerTimeout = 1000;

/** A worker, as its primary sees it. */
export class WorkerHandle {
  readonly pid: number;
  /** Settles once it has ended. */
  readonly ended: Promise<WorkerEnd>;
  /** Where it listens; empty until it does. */
  url = '';
  /** Whether a restart replaces it, so that nothing else does when it ends. */
  isReplacedByRestart = false;
  /** The counts in its last answer. */
  lastReadings: Readings = [];
  #state: WorkerState = 'starting';
  #askedBeats = 0;
  #missedBeats = 0;
  readonly #worker = cluster.fork(compileCache());
  readonly #channel: Channel<WorkerFunctions>;

  /** Throws if the system starts no further process. */
  constructor(
    { guesses: guessesOfAll, loans, ready, askForKeys, askForLink, trustsClock, onFault }: WorkerParts,
    passedConnections: PassedConnections,
  ) {
    const { process: child } = this.#worker;
    const guesses = new WorkerGuesses(guessesOfAll);
    const { guessesSpent, takeGuess, endGuess } = guesses;
    const own: PrimaryFunctions = {
      lend: async (all) => all.map((wanted) => loans.lend(wanted)),
      guessesSpent,
      takeGuess,
      endGuess,
      ready,
      askForKeys,
      askForLink,
      trustsClock,
    };
    // Such as a system that allows no further process.
    this.#worker.on('error', onFault);
    if (child.pid === undefined) throw new Error('No process could be started.');
    this.pid = child.pid;
    this.#channel = new Channel<WorkerFunctions>(this.#worker, own, onFault);
    passedConnections.watch(child);
    child.once('exit', () => {
      this.#state = 'ended';
      this.#channel.close();
      guesses.end();
    });
    this.ended = closed(child);
  }

  get state(): WorkerState {
    return this.#state;
  }

  get isListening(): boolean {
    return this.#state === 'listening';
  }

  /** Lets it listen. One that cannot is killed, if it has not ended before it knew. */
  async start(settings: Settings): Promise<Started | ({ readonly kind: 'ended' } & WorkerEnd)> {
    const started = await this.#channel.call('start', settings).catch(() => null);
    if (started?.kind === 'listening') {
      this.url = started.url;
      this.#state = 'listening';
      return started;
    }
    this.kill();
    return started ?? { kind: 'ended', ...(await this.ended) };
  }

  /** Asks for a heartbeat. */
  beat(): Beats {
    const onBeat = (): void => {
      this.#missedBeats = 0;
    };
    this.#channel.call('beat').then(onBeat, () => undefined);
    this.#askedBeats += 1;
    this.#missedBeats += 1;
    return { isStarting: this.#state === 'starting', asked: this.#askedBeats, missed: this.#missedBeats };
  }

  /** Whether it takes requests; true once it has ended, because others then take them. */
  ready(): Promise<boolean> {
    return this.#channel.call('ready').catch(() => !this.isListening);
  }

  /** The counts of the worker. If it does not answer in time, those of its last answer. */
  async readings(): Promise<Readings> {
    if (this.#state === 'starting' || this.#state === 'ended') return this.lastReadings;
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
    this.#state = 'leaving';
    await this.#endBy('retire');
  }

  /** Lets it finish the requests in flight and end. */
  async stop(): Promise<void> {
    if (this.#state === 'starting' || this.#state === 'ended') this.kill();
    else await this.#endBy('stop');
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
