import { channel } from 'node:diagnostics_channel';
import type { Statement } from 'better-sqlite3';
import { batchChannel, type Batch } from '../../../core/store/batch.ts';
import type { Call } from '../../../core/call.ts';
import { asRefusal, isBusy, untilFree, type Connection } from './connection.ts';

interface Read {
  readonly run: () => void;
  readonly fail: (error: unknown) => void;
}

const batches = channel(batchChannel);

/**
 * Look-ups that arrive in one turn of the event loop share one read transaction: a look-up costs a third of what it
 * costs alone. A look-up joins only a batch that has not begun, so what it sees was in the store after it was asked for.
 */
export class ReadBatcher {
  readonly #begin: Statement;
  readonly #commit: Statement;
  #waiting: Read[] = [];

  constructor(connection: Connection) {
    this.#begin = connection.prepare('BEGIN');
    this.#commit = connection.prepare('COMMIT');
  }

  /** What `look` returns; it must only read. */
  read<T>(call: Call, look: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): void => resolve(look());
      // A busy file (another process recovers it or closes it) is rare and no matter of the batch: that look-up goes on by itself.
      const fail = (fault: unknown): void => {
        if (isBusy(fault)) void untilFree(call, look).then(resolve, reject);
        else reject(asRefusal(fault));
      };
      if (this.#waiting.push({ run, fail }) === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    const shared = batch.length > 1;
    if (batches.hasSubscribers) batches.publish({ kind: 'look-ups', size: batch.length } satisfies Batch);
    try {
      if (shared) this.#begin.run();
      for (const read of batch) runAlone(read);
      if (shared) this.#commit.run();
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  }
}

function runAlone({ run, fail }: Read): void {
  try {
    run();
  } catch (error) {
    fail(error);
  }
}
