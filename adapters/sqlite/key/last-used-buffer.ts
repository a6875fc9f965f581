import type { Statement } from 'better-sqlite3';
import { deadlineIn } from '../../../core/call.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import type { Table } from '../engine/table.ts';

/** The time for which uses are collected before they are written, in milliseconds. */
const flushInterval = 1000;

/** The time that a flush may wait for the file's write lock, in milliseconds. */
const flushTimeout = 1000;

/** Keys written in one atomic write: about 2 ms. */
const maxBatch = 100;

interface Use {
  readonly id: string;
  readonly at: number;
}

/** Collects the last use of each key of a table and writes it later, in batches, so that no answer waits for it. */
export class LastUsedBuffer {
  readonly #database: SqliteDatabase;
  readonly #update: Statement<[Use]>;
  #lastUses = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(database: SqliteDatabase, { name }: Table) {
    this.#database = database;
    this.#update = database.connection.prepare(
      `UPDATE ${name} SET last_used_at = @at WHERE id = @id AND coalesce(last_used_at, 0) < @at`,
    );
  }

  /** Remembers a use until the next flush; of several uses of a key, the latest counts. */
  recordUse(id: string, at: Date): void {
    this.#lastUses.set(id, Math.max(at.getTime(), this.#lastUses.get(id) ?? 0));
    this.#timer ??= setTimeout(() => void this.flush(), flushInterval).unref();
  }

  /** Writes what was collected. Uses that cannot be written are dropped: core records the key's next use a minute later. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const uses = [...this.#lastUses].map(([id, at]): Use => ({ id, at }));
    this.#lastUses = new Map();
    const deadline = deadlineIn(flushTimeout, () => performance.now());
    const writes: Promise<void>[] = [];
    for (let start = 0; start < uses.length; start += maxBatch) {
      const batch = uses.slice(start, start + maxBatch);
      writes.push(this.#database.write({ deadline }, () => this.#writeAll(batch)));
    }
    await Promise.allSettled(writes);
  }

  #writeAll(uses: readonly Use[]): void {
    for (const use of uses) this.#update.run(use);
  }
}
