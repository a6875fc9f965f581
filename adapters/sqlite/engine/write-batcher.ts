import { channel } from 'node:diagnostics_channel';
import type { Statement } from 'better-sqlite3';
import { batchChannel, type Batch } from '../../../core/store/batch.ts';
import type { Call } from '../../../core/call.ts';
import { Refusal } from '../../../core/refusal.ts';
import { asRefusal, busyPause, isBusy, type Connection } from './connection.ts';

/** Whoever waits for a write. */
type Waiter = Pick<Call, 'deadline'>;

interface Write {
  readonly waiter: Waiter;
  /** Runs the statements and returns what to tell the caller once they are durable. */
  readonly run: () => () => void;
  readonly fail: (error: unknown) => void;
}

const batches = channel(batchChannel);

/**
 * Writes that arrive together share one commit, and so one fsync. Each is atomic by itself: a fault of one undoes
 * that one only. All is synchronous from BEGIN to COMMIT, so that no read of this process sees what is not durable;
 * nobody is told of a success before COMMIT has returned, and when it fails nothing has changed and everybody is told.
 * A commit takes no more writes after `slice` milliseconds, so that nobody waits longer for the lock or the event loop.
 */
export class WriteBatcher {
  readonly #connection: Connection;
  readonly #slice: number;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #savepoint: Statement;
  readonly #release: Statement;
  readonly #undo: Statement;
  readonly #rollback: Statement;
  #waiting: Write[] = [];

  constructor(connection: Connection, slice = 8) {
    this.#connection = connection;
    this.#slice = slice;
    this.#begin = connection.prepare('BEGIN IMMEDIATE');
    this.#commit = connection.prepare('COMMIT');
    this.#savepoint = connection.prepare('SAVEPOINT member');
    this.#release = connection.prepare('RELEASE member');
    this.#undo = connection.prepare('ROLLBACK TO member');
    this.#rollback = connection.prepare('ROLLBACK');
  }

  /** What `work` returns, once it is durable. `work` must be synchronous. */
  write<T>(waiter: Waiter, work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): (() => void) => {
        const result = work();
        return () => resolve(result);
      };
      if (this.#waiting.push({ waiter, run, fail: reject }) === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const inTime = this.#waiting.filter((write) => {
      if (write.waiter.deadline.remaining() > 0) return true;
      write.fail(new Refusal('store_unavailable', { cause: 'another process held the write lock until the deadline' }));
      return false;
    });
    this.#waiting = inTime;
    if (inTime.length === 0) return;
    try {
      this.#begin.run();
    } catch (error) {
      if (isBusy(error)) {
        setTimeout(() => this.#flush(), busyPause());
        return;
      }
      this.#waiting = [];
      for (const write of inTime) write.fail(asRefusal(error));
      return;
    }
    const taken = this.#run(inTime);
    if (batches.hasSubscribers) batches.publish({ kind: 'writes', size: taken } satisfies Batch);
    this.#waiting = inTime.slice(taken);
    if (this.#waiting.length > 0) setImmediate(() => this.#flush());
  }

  /** Runs and commits as many writes as fit into the slice; returns how many that were. Whatever throws, each of them is told. */
  #run(writes: readonly Write[]): number {
    const until = performance.now() + this.#slice;
    const tellings: (() => void)[] = [];
    let taken = 0;
    try {
      for (const write of writes) {
        if (taken > 0 && performance.now() > until) break;
        taken += 1;
        const tell = this.#runOne(write);
        if (tell !== null) tellings.push(tell);
        // Some faults (a full disk) make SQLite undo the whole transaction by itself: nothing more may run outside of one.
        if (!this.#connection.inTransaction) break;
      }
      this.#commit.run();
    } catch (error) {
      for (const write of writes.slice(0, taken)) write.fail(asRefusal(error));
      if (this.#connection.inTransaction) this.#rollback.run();
      return taken;
    }
    for (const tell of tellings) tell();
    return taken;
  }

  /** What to tell the caller, or null where the fault was its own and is undone. Throws where it cannot be undone. */
  #runOne(write: Write): (() => void) | null {
    this.#savepoint.run();
    try {
      const tell = write.run();
      this.#release.run();
      return tell;
    } catch (error) {
      write.fail(asRefusal(error));
      if (this.#connection.inTransaction) {
        this.#undo.run();
        this.#release.run();
      }
      return null;
    }
  }
}
