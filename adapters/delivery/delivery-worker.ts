import { setTimeout as wait } from 'node:timers/promises';
import { streamsOf } from '../../core/webhook/stored-streams.ts';
import { LeaseWatch } from '../../core/webhook/stream/lease.ts';
import { maxFailingTime } from '../../core/webhook/stream/record-attempt.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import { FaultPauses } from './fault-pauses.ts';
import { Holders } from './holders.ts';
import { LogWatch } from './log-watch.ts';
import {
  addMissingStreams,
  emptyList,
  hasWork,
  readStreamList,
  type OwnedStream,
  type StreamList,
} from './stream-list.ts';
import { StreamRunner } from './stream-runner.ts';

/** Milliseconds between two steps of the worker. */
const stepInterval = 50;

/** The same while no endpoint is enabled. */
const idleInterval = 500;

/** Milliseconds between two reads of the endpoints and streams. A change by a command takes effect within this time. */
const listInterval = 2000;

/** Milliseconds between two looks for new products. */
const productInterval = 5000;

/** The key of faults that belong to no stream. */
const wholeStep = '';

/** Delivers events to endpoints. Any number of processes share the work. */
export class DeliveryWorker {
  readonly #parts: DeliveryParts;
  readonly #logs: LogWatch;
  readonly #leases: LeaseWatch;
  readonly #holders: Holders;
  /** Pauses after faults of a stream, by its key, and of the rest of a step. */
  readonly #pauses: FaultPauses;
  readonly #runners = new Map<string, StreamRunner>();
  /** Streams whose runner has ended, with the end of its last requests. */
  readonly #ending = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #list: StreamList = emptyList;
  #listedAt = -Infinity;
  #lookedForProductsAt = -Infinity;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.#logs = new LogWatch(parts);
    this.#leases = new LeaseWatch(parts.monotonicClock);
    this.#holders = new Holders(parts.monotonicClock);
    this.#pauses = new FaultPauses(parts.monotonicClock);
  }

  /** Begins to deliver. Returns at once. */
  start(): void {
    this.#running = this.#run();
  }

  /**
   * Begins no more requests, waits for those in flight for at most `timeout` milliseconds, and frees the streams.
   * Another process repeats the requests that were cut off.
   */
  async stop(timeout: number): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    const cut = wait(timeout, undefined, { ref: false });
    for (const [key, runner] of this.#runners) this.#end(key, runner.stop(cut));
    await Promise.all(this.#ending.values());
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (!this.#pauses.isPaused(wholeStep)) await this.#guarded(wholeStep, this.#step());
      await wait(this.#pause, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Milliseconds to the next step. */
  get #pause(): number {
    return this.#list.enabled.length === 0 && this.#runners.size === 0 ? idleInterval : stepInterval;
  }

  async #step(): Promise<void> {
    if (this.#parts.isPaused()) {
      for (const [key, runner] of this.#runners) this.#end(key, runner.stop());
      return;
    }
    await this.#refreshList();
    const { enabled, products } = this.#list;
    if (await this.#logs.look(products)) await this.#takeUseful(enabled);
    await Promise.all([...this.#runners].map(([key, runner]) => this.#guarded(key, this.#stepRunner(key, runner))));
  }

  async #takeUseful(enabled: readonly OwnedStream[]): Promise<void> {
    const now = this.#parts.clock();
    const useful = enabled.filter((owned) => this.#isUseful(owned, now));
    await Promise.all(useful.map((each) => this.#guarded(each.key, this.#take(each))));
  }

  async #refreshList(): Promise<void> {
    const now = this.#parts.monotonicClock();
    if (now - this.#listedAt < listInterval) return;
    this.#listedAt = now;
    this.#list = await readStreamList(this.#parts);
    for (const { key, stream } of this.#list.streams.values()) this.#leases.see(key, stream);
    this.#leases.keepOnly(this.#list.streams);
    this.#compareRunners();
    if (now - this.#lookedForProductsAt < productInterval) return;
    this.#lookedForProductsAt = now;
    await addMissingStreams(this.#parts, this.#list);
  }

  /** Ends the runners of streams that were written by a command or another process, disabled or removed. */
  #compareRunners(): void {
    for (const [key, runner] of this.#runners) {
      const stored = this.#list.streams.get(key);
      if (stored === undefined) this.#end(key, runner.abandon());
      else if (stored.endpoint.state === 'disabled') this.#end(key, runner.stop());
      else if (stored.stream.fence > runner.fence) this.#end(key, runner.abandon());
      else runner.endpoint = stored.endpoint;
    }
  }

  /** Reports whether a stream has something to do, and this process may take it. Runs for every stream. */
  #isUseful({ key, stream }: OwnedStream, now: Date): boolean {
    if (!hasWork(stream, this.#logs.lastOf(stream.productId), now)) return false;
    if (this.#runners.has(key) || this.#ending.has(key) || this.#pauses.isPaused(key)) return false;
    // A stream that this process holds without a runner was written by a command, and is no longer delivered here.
    if (stream.holder === this.#parts.holder || this.#leases.isFree(key, stream)) return true;
    return stream.holder !== null && this.#holders.isDead(stream.holder);
  }

  async #take(owned: OwnedStream): Promise<void> {
    const runner = await StreamRunner.take(this.#parts, owned, (reason) => this.#disable(owned, reason));
    if (runner === null) this.#readListSoon();
    else this.#runners.set(owned.key, runner);
  }

  async #stepRunner(key: string, runner: StreamRunner): Promise<void> {
    const isPaused = this.#pauses.isPaused(key);
    const outcome = await (isPaused ? runner.rest() : runner.step(this.#logs.lastOf(runner.productId)));
    if (this.#runners.get(key) !== runner) return;
    if (outcome === 'lost') this.#end(key, runner.abandon());
    else if (runner.isIdle) this.#end(key, runner.stop());
  }

  #end(key: string, end: Promise<void>): void {
    this.#runners.delete(key);
    const ending = this.#guarded(key, end).finally(() => {
      this.#ending.delete(key);
      this.#readListSoon();
    });
    this.#ending.set(key, ending);
  }

  /** Disables an endpoint. Returns false if it has not failed for all products, so that it stays enabled. */
  async #disable({ key, endpoint }: OwnedStream, reason: 'gone' | 'failing'): Promise<boolean> {
    const { streams, clock, newCall, disableWebhook, report } = this.#parts;
    if (reason === 'failing') {
      const since = clock().getTime() - maxFailingTime;
      const all = await streamsOf(streams, endpoint, newCall());
      if (all.some(({ deliveredAt }) => deliveredAt !== null && deliveredAt.getTime() > since)) return false;
    }
    const { changed } = await disableWebhook(endpoint.id, reason, newCall());
    if (changed) report({ kind: 'disabled', endpointId: endpoint.id, reason });
    const runner = this.#runners.get(key);
    if (runner !== undefined) this.#end(key, runner.stop());
    return true;
  }

  #readListSoon(): void {
    this.#listedAt = -Infinity;
  }

  /** Reports a fault, the first of a series, and goes on: it is tried again after a pause. */
  async #guarded(key: string, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (this.#pauses.begin(key)) this.#parts.report({ kind: 'fault', error });
      this.#readListSoon();
    }
  }
}
