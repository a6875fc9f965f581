import type { Statement } from 'better-sqlite3';
import { deadlineIn, type Call } from '../../../core/call.ts';
import type { LastBackup } from '../../../core/maintenance/maintenance.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';

/** Milliseconds to wait for the write. The call of a backup may have ended long before its copy. */
const writeTimeout = 5000;

/** The time of the last backup. It stands in the store, so that every process knows it. */
export class SqliteLastBackup {
  readonly #database: SqliteDatabase;
  readonly #read: Statement<[], { readonly at: number }>;
  readonly #write: Statement<[number]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#read = connection.prepare('SELECT at FROM last_backup');
    this.#write = connection.prepare(
      'INSERT INTO last_backup (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = max(at, excluded.at)',
    );
  }

  read(call: Call): Promise<LastBackup> {
    return this.#database.read(call, () => {
      const row = this.#read.get();
      return row === undefined ? { kind: 'none' } : { kind: 'made', at: new Date(row.at) };
    });
  }

  async write(at: Date): Promise<void> {
    const deadline = deadlineIn(writeTimeout, () => performance.now());
    await this.#database.write({ deadline }, () => this.#write.run(at.getTime()));
  }
}
