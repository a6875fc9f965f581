import type { Database as Connection } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import { ReadBatcher } from './read-batcher.ts';
import { StoreFiles } from './store-files.ts';
import { WriteBatcher } from './write-batcher.ts';

/** An open store file. The adapters of the ports prepare their statements on `connection` and run them in `read` and `write`. */
export class SqliteDatabase {
  readonly connection: Connection;
  readonly #files: StoreFiles;
  readonly #reads: ReadBatcher;
  readonly #writes: WriteBatcher;

  /** `maxTransactionTime` is passed to `WriteBatcher`. */
  constructor(connection: Connection, maxTransactionTime?: number) {
    this.connection = connection;
    this.#files = new StoreFiles(connection);
    this.#reads = new ReadBatcher(connection);
    this.#writes = new WriteBatcher(connection, maxTransactionTime, this.#files, () => this.#reads.isWaiting);
  }

  /** Returns whether the store can be used: it is open, and its files were not removed or replaced. */
  isReady(): boolean {
    return this.connection.open && this.#files.areInPlace();
  }

  /** See `WriteBatcher.turn`. */
  get turn(): number {
    return this.#writes.turn;
  }

  /** See `ReadBatcher.read`. */
  read<T>(call: Call, lookUp: () => T): Promise<T> {
    return this.#reads.read(call, lookUp);
  }

  /** See `WriteBatcher.write`. */
  write<T>(call: Pick<Call, 'deadline'>, work: () => T): Promise<T> {
    return this.#writes.write(call, work);
  }
}
