import type { Database as Connection, Statement } from 'better-sqlite3';
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
  readonly #dataVersion: Statement<[], number>;

  /** `maxTransactionTime` is passed to `WriteBatcher`. */
  constructor(connection: Connection, maxTransactionTime?: number) {
    this.connection = connection;
    this.#files = new StoreFiles(connection);
    this.#reads = new ReadBatcher(connection);
    this.#writes = new WriteBatcher(connection, maxTransactionTime, this.#files, () => this.#reads.isWaiting);
    this.#dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck();
  }

  /** Returns whether the store can be used: it is open, and its files were not removed or replaced. */
  isReady(): boolean {
    return this.connection.open && this.#files.areInPlace();
  }

  /** See `WriteBatcher.turn`. */
  get turn(): number {
    return this.#writes.turn;
  }

  /**
   * Returns a text that differs whenever the file has changed. The turn moves with what this connection writes, and the
   * data version with what others have committed.
   */
  revision(): string {
    return `${this.turn}/${this.#dataVersion.get()}`;
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
