import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ClockMarks, StoreTime } from '../../../core/clock/clock-marks.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';

/** Notes a restore. */
export const putRestoreNote =
  'INSERT INTO restore_note (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at';

const put = 'INSERT INTO clock_mark (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at =';

export class SqliteClockMarks implements ClockMarks {
  readonly #database: SqliteDatabase;
  readonly #read: Statement<[], { readonly at: number }>;
  readonly #raise: Statement<[number]>;
  readonly #reset: Statement<[number]>;
  readonly #readRestore: Statement<[], { readonly at: number }>;
  readonly #putRestore: Statement<[number]>;
  readonly #removeRestore: Statement<[]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#read = connection.prepare('SELECT at FROM clock_mark');
    this.#raise = connection.prepare(`${put} max(at, excluded.at)`);
    this.#reset = connection.prepare(`${put} excluded.at`);
    this.#readRestore = connection.prepare('SELECT at FROM restore_note');
    this.#putRestore = connection.prepare(putRestoreNote);
    this.#removeRestore = connection.prepare('DELETE FROM restore_note');
  }

  async read(call: Call): Promise<StoreTime> {
    const row = await this.#database.read(call, () => this.#read.get());
    return { mark: row === undefined ? null : new Date(row.at), server: null };
  }

  async raise(to: Date, call: Call): Promise<void> {
    await this.#database.write(call, () => this.#raise.run(to.getTime()));
  }

  async reset(to: Date, call: Call): Promise<void> {
    await this.#database.write(call, () => this.#reset.run(to.getTime()));
  }

  async restoredAt(call: Call): Promise<Date | null> {
    const row = await this.#database.read(call, () => this.#readRestore.get());
    return row === undefined ? null : new Date(row.at);
  }

  async noteRestore(at: Date | null, call: Call): Promise<void> {
    await this.#database.write(call, () =>
      at === null ? this.#removeRestore.run() : this.#putRestore.run(at.getTime()),
    );
  }
}
