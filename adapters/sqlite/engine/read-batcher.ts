import type { Database as Connection, Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { OnBatch } from '../../../core/store/store.port.ts';
import { asRefusal, isBusy, retryWhileBusy } from './errors.ts';

/** A look-up that waits for the next batch. */
interface PendingRead {
  readonly run: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Runs the look-ups of one turn of the event loop in one read transaction, where each costs a third of what it costs in
 * a transaction of its own. A look-up joins only a batch that has not started, so it sees every write that was committed
 * before it was requested.
 */
export class ReadBatcher {
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #onBatch: OnBatch;
  #pending: PendingRead[] = [];

  constructor(connection: Connection, onBatch: OnBatch = () => {}) {
    this.#onBatch = onBatch;
    this.#begin = connection.prepare('BEGIN');
    this.#commit = connection.prepare('COMMIT');
  }

  /** Whether look-ups wait for the next batch. */
  get isWaiting(): boolean {
    return this.#pending.length > 0;
  }

  /** Resolves to the result of `lookUp`, which must be synchronous and must not write. */
  read<T>(call: Call, lookUp: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): void => resolve(lookUp());
      // A read meets a busy file only while another process recovers or closes it. That is rare: it retries alone.
      const fail = (thrown: unknown): void => {
        if (isBusy(thrown)) void retryWhileBusy(call, lookUp).then(resolve, reject);
        else reject(asRefusal(thrown));
      };
      if (this.#pending.push({ run, fail }) === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const batch = this.#pending;
    this.#pending = [];
    const needsTransaction = batch.length > 1;
    this.#onBatch({ kind: 'look-ups', size: batch.length });
    try {
      if (needsTransaction) this.#begin.run();
      for (const read of batch) runOne(read);
      if (needsTransaction) this.#commit.run();
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  }
}

/** Keeps the error of one look-up from the others of its batch. */
function runOne({ run, fail }: PendingRead): void {
  try {
    run();
  } catch (error) {
    fail(error);
  }
}
