import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ClockMarks, StoreTime } from '../../../core/clock/clock-marks.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';

const put = 'INSERT INTO clock_mark (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at =';

export class SqliteClockMarks implements ClockMarks {
  readonly #database: SqliteDatabase;
  readonly #read: Statement<[], { readonly at: number }>;
  readonly #raise: Statement<[number]>;
  readonly #reset: Statement<[number]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#read = connection.prepare('SELECT at FROM clock_mark');
    this.#raise = connection.prepare(`${put} max(at, excluded.at)`);
    this.#reset = connection.prepare(`${put} excluded.at`);
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
}
