import type { Statement } from 'better-sqlite3';
import { deadlineIn } from '../../../core/call.ts';
import type { Connection } from '../engine/connection.ts';
import type { WriteBatcher } from '../engine/write-batcher.ts';

/** How long uses are gathered before they are written, and how long they then wait for the file, in milliseconds. */
const gathering = 1000;

/** Keys of one write: about 2 ms. */
const keysAtOnce = 100;

type Note = readonly [id: string, at: number];

/** Writes the latest use of app keys behind the answers and among the other writes, each key at most once in a gathering. */
export class LastUsedBuffer {
  readonly #writes: WriteBatcher;
  readonly #write: Statement<[{ readonly id: string; readonly at: number }]>;
  #noted = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(connection: Connection, writes: WriteBatcher) {
    this.#writes = writes;
    this.#write = connection.prepare(
      'UPDATE app_keys SET last_used_at = @at WHERE id = @id AND coalesce(last_used_at, 0) < @at',
    );
  }

  note(id: string, at: Date): void {
    this.#noted.set(id, Math.max(at.getTime(), this.#noted.get(id) ?? 0));
    this.#timer ??= setTimeout(() => void this.flush(), gathering).unref();
  }

  /** Writes what was noted. What the store does not take is lost: the next use, a minute later, is noted again. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const notes = [...this.#noted];
    this.#noted = new Map();
    const waiter = { deadline: deadlineIn(gathering, () => performance.now()) };
    const written: Promise<void>[] = [];
    for (let start = 0; start < notes.length; start += keysAtOnce) {
      const some = notes.slice(start, start + keysAtOnce);
      written.push(this.#writes.write(waiter, () => this.#store(some)));
    }
    await Promise.allSettled(written);
  }

  #store(notes: readonly Note[]): void {
    for (const [id, at] of notes) this.#write.run({ id, at });
  }
}
