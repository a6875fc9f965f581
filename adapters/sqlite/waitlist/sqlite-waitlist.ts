import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import { addressOf, type SignUp } from '../../../core/waitlist/sign-up.ts';
import type { Waitlist } from '../../../core/waitlist/waitlist.port.ts';
import { emptyLog } from '../engine/empty-log.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, selectFrom } from '../engine/table.ts';
import { fromSignUpRow, toSignUpRow, waitlistTable, type SignUpRow } from './sign-up-row.ts';

export class SqliteWaitlist implements Waitlist {
  readonly #database: SqliteDatabase;
  readonly #join: Statement<[SignUpRow]>;
  readonly #page: Statement<[string, number], SignUpRow>;
  readonly #erase: Statement<[string]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    // A known address is written as well, so that the response time does not reveal whether it was known.
    this.#join = connection.prepare(
      `${insertInto(waitlistTable)} ON CONFLICT (address) DO UPDATE SET requests = requests + 1`,
    );
    this.#page = connection.prepare(`${selectFrom(waitlistTable)} WHERE address > ? ORDER BY address LIMIT ?`);
    this.#erase = connection.prepare('DELETE FROM waitlist WHERE address = ?');
  }

  async join(signUp: SignUp, call: Call): Promise<void> {
    const row = toSignUpRow(signUp);
    await this.#database.write(call, () => this.#join.run(row));
  }

  page(after: string | null, limit: number, call: Call): Promise<readonly SignUp[]> {
    return this.#database.read(call, () => this.#page.all(after ?? '', limit).map(fromSignUpRow));
  }

  async erase(email: string, call: Call): Promise<0 | 1> {
    const erased = await this.#database.write(call, () => (this.#erase.run(addressOf(email)).changes === 0 ? 0 : 1));
    await emptyLog(this.#database.connection);
    return erased;
  }
}
