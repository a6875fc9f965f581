import type { Database as Connection } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { OnBatch } from '../../../core/store/store.port.ts';
import { emptyLog } from './connection.ts';
import { ReadBatcher } from './read-batcher.ts';
import { StoreFiles } from './store-files.ts';
import { WriteBatcher } from './write-batcher.ts';

/** Minimum milliseconds between two trial writes. */
const trialInterval = 1000;

/**
 * The row of a trial write, which its transaction removes. No product can have the id. It takes as many bytes as many
 * changes.
 */
const trialId = '';
const trialSize = 64 * 1024;

/** An open store file. The adapters of the ports prepare their statements on `connection` and run them in `read` and `write`. */
export class SqliteDatabase {
  readonly connection: Connection;
  readonly #files: StoreFiles;
  readonly #reads: ReadBatcher;
  readonly #writes: WriteBatcher;
  /** By the monotonic clock, in milliseconds. */
  #nextTrial = 0;

  /** `maxTransactionTime` is passed to `WriteBatcher`. */
  constructor(connection: Connection, maxTransactionTime?: number, onBatch?: OnBatch) {
    this.connection = connection;
    this.#files = new StoreFiles(connection);
    this.#reads = new ReadBatcher(connection, onBatch);
    const hasLookUps = (): boolean => this.#reads.isWaiting;
    this.#writes = new WriteBatcher(connection, maxTransactionTime, this.#files, hasLookUps, onBatch);
  }

  /**
   * Returns whether the store can be used: it is open, its files were not removed or replaced, and the disk is not
   * full. After a write has found the disk full, one trial write a second shows whether there is room again, because a
   * server that is not ready gets no requests whose writes would show it.
   */
  async isReady(call: Call): Promise<boolean> {
    if (!this.connection.open || !this.#files.areInPlace()) return false;
    return !this.#writes.hasFoundDiskFull || this.#hasRoomAgain(call);
  }

  async #hasRoomAgain(call: Call): Promise<boolean> {
    const now = performance.now();
    if (now < this.#nextTrial) return false;
    this.#nextTrial = now + trialInterval;
    try {
      await this.write(call, () => {
        this.connection
          .prepare('INSERT INTO products (id, name, created_at) VALUES (?, ?, 0)')
          .run(trialId, 'x'.repeat(trialSize));
        this.connection.prepare('DELETE FROM products WHERE id = ?').run(trialId);
      });
    } catch {
      return false;
    }
    this.#writes.expectRoom();
    return true;
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

  /** Writes what removes a secret or an address: neither the file nor its write-ahead log keeps it afterwards. */
  async erase<T>(call: Pick<Call, 'deadline'>, work: () => T): Promise<T> {
    const result = await this.write(call, work);
    await emptyLog(this.connection);
    return result;
  }
}
