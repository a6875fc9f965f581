import type { Statement } from 'better-sqlite3';
import type { Connection } from './sqlite-database.ts';

/** How long uses are gathered before they are written, in milliseconds. */
const gathering = 1000;

/** Writes the last use of app keys behind the answers, each key at most once in a gathering. */
export class UseNotes {
  readonly #connection: Connection;
  readonly #write: Statement<[{ readonly id: string; readonly at: number }]>;
  readonly #noted = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#write = connection.prepare(
      'UPDATE app_keys SET last_used_at = @at WHERE id = @id AND coalesce(last_used_at, 0) < @at',
    );
  }

  note(id: string, at: Date): void {
    this.#noted.set(id, at.getTime());
    this.#timer ??= setTimeout(() => this.flush(), gathering).unref();
  }

  /** Writes what was noted. Where that fails (a busy file, a full disk) it is tried again with the next gathering. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#noted.size === 0) return;
    try {
      this.#connection
        .transaction(() => {
          for (const [id, at] of this.#noted) this.#write.run({ id, at });
        })
        .immediate();
      this.#noted.clear();
    } catch {
      if (this.#connection.open) this.#timer = setTimeout(() => this.flush(), gathering).unref();
    }
  }
}
