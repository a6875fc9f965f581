import type { Database as Connection, Statement } from 'better-sqlite3';
import type { Call, Deadline } from '../../../core/call.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { OnBatch } from '../../../core/store/store.port.ts';
import { asRefusal, isBusy, isDiskFull, lostFiles, retryDelay } from './errors.ts';
import { StoreFiles } from './store-files.ts';

/** A write that waits for the next transaction. */
interface PendingWrite {
  readonly deadline: Deadline;
  /** Runs the statements. Returns a function that resolves the caller's promise, to be called after COMMIT. */
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
}

/** Turns of the event loop for which a transaction waits for more writes: a request that writes looks up a few times. */
const maxTurnsWaited = 4;

/**
 * Commits writes that arrive together in one transaction, so that they share one fsync.
 *
 * - Each write is atomic. If one fails, all of the transaction are undone and run again, each in a savepoint, so that its
 *   error undoes that write only. Savepoints copy each page that a write changes, so writes that succeed have none.
 * - Everything between BEGIN and COMMIT is synchronous, so no read of this process sees what is not yet durable.
 * - Promises resolve after COMMIT has returned. If COMMIT fails, nothing has changed and every write is rejected.
 * - Nothing is committed to a file that was removed or replaced.
 * - A transaction waits for a few turns of the event loop while look-ups wait, because the requests behind them may be
 *   about to write. Otherwise requests that arrive a turn apart stay apart, and each group pays for an fsync.
 * - A transaction starts no more writes after `maxTransactionTime`, which bounds how long it holds the write lock and
 *   blocks the event loop.
 */
export class WriteBatcher {
  readonly #connection: Connection;
  readonly #maxTransactionTime: number;
  readonly #files: StoreFiles;
  readonly #hasLookUps: () => boolean;
  readonly #onBatch: OnBatch;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  readonly #savepoint: Statement;
  readonly #release: Statement;
  readonly #rollbackToSavepoint: Statement;
  #pending: PendingWrite[] = [];
  #turn = 0;
  #turnsWaited = 0;
  #hasFoundDiskFull = false;
  /** Whether the next transaction repeats one that has failed. */
  #isolates = false;

  /** `maxTransactionTime` is in milliseconds. `hasLookUps` returns whether look-ups wait. */
  constructor(
    connection: Connection,
    maxTransactionTime = 8,
    files = new StoreFiles(connection),
    hasLookUps = (): boolean => false,
    onBatch: OnBatch = () => {},
  ) {
    this.#connection = connection;
    this.#maxTransactionTime = maxTransactionTime;
    this.#files = files;
    this.#hasLookUps = hasLookUps;
    this.#onBatch = onBatch;
    this.#begin = connection.prepare('BEGIN IMMEDIATE');
    this.#commit = connection.prepare('COMMIT');
    this.#rollback = connection.prepare('ROLLBACK');
    this.#savepoint = connection.prepare('SAVEPOINT one_write');
    this.#release = connection.prepare('RELEASE one_write');
    this.#rollbackToSavepoint = connection.prepare('ROLLBACK TO one_write');
  }

  /** Changes with every transaction and every undone write. Within a turn, everything that its writes have stored stays. */
  get turn(): number {
    return this.#turn;
  }

  /** Whether a write has failed because the disk is full, since `expectRoom` was called. */
  get hasFoundDiskFull(): boolean {
    return this.#hasFoundDiskFull;
  }

  expectRoom(): void {
    this.#hasFoundDiskFull = false;
  }

  /**
   * Resolves to the result of `work` once its changes are durable. It must be synchronous, and change nothing but the
   * database: it may run twice.
   */
  write<T>({ deadline }: Pick<Call, 'deadline'>, work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): (() => void) => {
        const result = work();
        return () => resolve(result);
      };
      if (this.#pending.push({ deadline, run, reject }) === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    if (this.#hasLookUps() && this.#turnsWaited < maxTurnsWaited) {
      this.#turnsWaited += 1;
      setImmediate(() => this.#flush());
      return;
    }
    this.#turnsWaited = 0;
    this.#pending = this.#pending.filter(rejectIfLate);
    if (this.#pending.length === 0) return;
    try {
      this.#begin.run();
      this.#turn += 1;
    } catch (error) {
      if (isBusy(error)) setTimeout(() => this.#flush(), retryDelay());
      else rejectAll(this.#pending.splice(0), error);
      return;
    }
    const size = this.#runTransaction(this.#pending);
    if (size > 0) this.#onBatch({ kind: 'writes', size });
    this.#pending = this.#pending.slice(size);
    if (this.#pending.length > 0) setImmediate(() => this.#flush());
  }

  /**
   * Runs and commits as many of the writes as fit into one transaction, settles their promises, and returns their number.
   * Returns 0 if one has failed and all are to be run again.
   */
  #runTransaction(writes: readonly PendingWrite[]): number {
    const end = performance.now() + this.#maxTransactionTime;
    const resolvers: (() => void)[] = [];
    let size = 0;
    let canIsolate = !this.#isolates;
    try {
      for (const write of writes) {
        if (size > 0 && performance.now() > end) break;
        size += 1;
        const resolve = this.#isolates ? this.#runAlone(write) : write.run();
        if (resolve !== null) resolvers.push(resolve);
        // Some errors (a full disk) make SQLite roll back the whole transaction. Nothing may run outside of one.
        if (!this.#connection.inTransaction) break;
      }
      canIsolate = false;
      // As late as possible: after COMMIT the writes are acknowledged.
      if (!this.#files.areInPlace()) throw lostFiles();
      this.#commit.run();
    } catch (error) {
      this.#hasFoundDiskFull ||= isDiskFull(error);
      if (!canIsolate) rejectAll(writes.slice(0, size), error);
      if (this.#connection.inTransaction) this.#rollback.run();
      this.#isolates = canIsolate;
      return canIsolate ? 0 : size;
    }
    this.#isolates = false;
    for (const resolve of resolvers) resolve();
    return size;
  }

  /**
   * Runs a write in a savepoint. Returns the function that resolves its promise, or null if the write failed and was
   * undone. Throws if it cannot be undone.
   */
  #runAlone(write: PendingWrite): (() => void) | null {
    this.#savepoint.run();
    try {
      const resolve = write.run();
      this.#release.run();
      return resolve;
    } catch (error) {
      this.#turn += 1;
      this.#hasFoundDiskFull ||= isDiskFull(error);
      write.reject(asRefusal(error));
      if (this.#connection.inTransaction) {
        this.#rollbackToSavepoint.run();
        this.#release.run();
      }
      return null;
    }
  }
}

/** Returns whether the write can still be carried out; rejects it if its deadline has passed. */
function rejectIfLate({ deadline, reject }: PendingWrite): boolean {
  if (deadline.remaining() > 0) return true;
  reject(new Refusal('store_unavailable', { cause: 'another process held the write lock until the deadline' }));
  return false;
}

function rejectAll(writes: readonly PendingWrite[], error: unknown): void {
  for (const { reject } of writes) reject(asRefusal(error));
}
