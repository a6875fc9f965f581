import type { BackgroundTask, OnBatch } from '../../../core/store/store.port.ts';
import { carryOutWaiting } from '../device/device-mover.ts';
import { asRefusal } from '../driver/errors.ts';
import { maxEntitlementsMoved, type RelayDatabase } from './event-batches.ts';
import { EventRelay } from './event-relay.ts';
import { RelayLease } from './relay-lease.ts';

/**
 * Milliseconds from a write of this process to the move of its events, so that those of others go with them. Under load
 * also the time between two moves: each one costs three commands, however few events it has.
 */
const moveDelay = 50;

/** Milliseconds between two looks for events that other processes have written. */
const lookInterval = 200;

/** Milliseconds between two renewals of the lease by its holder, and between two looks of the others. */
const renewInterval = 1000;
const watchInterval = 500;

/** Moves events while the process serves, if it holds the lease. */
export class RelayLoop implements BackgroundTask {
  readonly #database: RelayDatabase;
  readonly #relay: EventRelay;
  readonly #lease: RelayLease;
  #running: Promise<void> | null = null;
  #isStopped = false;
  #isScheduled = false;
  #isDue = false;
  #endPause: () => void = () => {};

  constructor(database: RelayDatabase, onBatch?: OnBatch) {
    this.#database = database;
    this.#relay = new EventRelay(database, onBatch);
    this.#lease = new RelayLease(database);
  }

  start(report: (error: unknown) => void): void {
    this.#running ??= this.#run(report);
  }

  /** Moves what was written last, and leaves the lease to another process. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endPause();
    await this.#running;
    if (!this.#lease.isHeld) return;
    try {
      await this.#relay.moveEvents();
      await this.#lease.release();
    } catch {
      // Another process, or the next one, takes the lease in two seconds and moves the rest.
    }
  }

  /** Moves events soon after a write of this process. */
  noticeWrite(): void {
    if (this.#isScheduled || !this.#lease.isHeld) return;
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      this.#isDue = true;
      this.#endPause();
    }, moveDelay);
  }

  async #run(report: (error: unknown) => void): Promise<void> {
    let renewAt = 0;
    let isFailing = false;
    while (!this.#isStopped) {
      let moved = 0;
      try {
        if (performance.now() >= renewAt) {
          await this.#lease.renew();
          renewAt = performance.now() + (this.#lease.isHeld ? renewInterval : watchInterval);
          // Moves of devices without an event, such as the end of an offline receipt, that a process has left.
          if (this.#lease.isHeld) await carryOutWaiting(this.#database);
        }
        if (this.#lease.isHeld) moved = await this.#relay.moveEvents();
        isFailing = false;
      } catch (error) {
        if (!isFailing) report(asRefusal(error));
        isFailing = true;
      }
      // A full move may have left others.
      if (moved < maxEntitlementsMoved) await this.#pause(this.#pauseAfter(moved));
    }
  }

  #pauseAfter(moved: number): number {
    if (!this.#lease.isHeld) return watchInterval;
    return moved === 0 ? lookInterval : moveDelay;
  }

  /** Waits, but not beyond a move that is due. */
  async #pause(milliseconds: number): Promise<void> {
    if (!this.#isDue && !this.#isStopped) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#endPause = resolve;
      const timer = setTimeout(resolve, milliseconds);
      await promise;
      clearTimeout(timer);
    }
    this.#isDue = false;
  }
}
