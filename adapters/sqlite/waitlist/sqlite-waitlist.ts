import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import { addressOf, type SignUp, type WaitlistRole } from '../../../core/waitlist/sign-up.ts';
import type { Waitlist } from '../../../core/waitlist/waitlist.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, selectFrom, table } from '../engine/table.ts';

/** A row of `waitlist`. Instants are milliseconds since 1970. */
export interface SignUpRow {
  /** The e-mail address as `addressOf` normalizes it: one row for each. */
  readonly address: string;
  readonly email: string;
  readonly name: string | null;
  readonly handle: string | null;
  readonly role: WaitlistRole | null;
  readonly at: number;
  /** The number of sign-ups with this address. */
  readonly requests: number;
}

export const waitlistTable = table<SignUpRow>('waitlist', {
  address: true,
  email: true,
  name: true,
  handle: true,
  role: true,
  at: true,
  requests: true,
});

export function toSignUpRow({ email, name, handle, role, at }: SignUp): SignUpRow {
  return { address: addressOf(email), email, name, handle, role, at: at.getTime(), requests: 1 };
}

export function fromSignUpRow({ email, name, handle, role, at }: SignUpRow): SignUp {
  return { email, name, handle, role, at: new Date(at) };
}

export class SqliteWaitlist implements Waitlist {
  readonly #database: SqliteDatabase;
  readonly #join: Statement<[SignUpRow]>;
  readonly #find: Statement<[string], SignUpRow>;
  readonly #page: Statement<[string, number], SignUpRow>;
  readonly #erase: Statement<[string]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    // A known address is written as well, so that the response time does not reveal whether it was known.
    this.#join = connection.prepare(
      `${insertInto(waitlistTable)} ON CONFLICT (address) DO UPDATE SET requests = requests + 1`,
    );
    this.#find = connection.prepare(`${selectFrom(waitlistTable)} WHERE address = ?`);
    this.#page = connection.prepare(`${selectFrom(waitlistTable)} WHERE address > ? ORDER BY address LIMIT ?`);
    this.#erase = connection.prepare('DELETE FROM waitlist WHERE address = ?');
  }

  async join(signUp: SignUp, call: Call): Promise<void> {
    const row = toSignUpRow(signUp);
    await this.#database.write(call, () => this.#join.run(row));
  }

  find(email: string, call: Call): Promise<SignUp | null> {
    return this.#database.read(call, () => {
      const row = this.#find.get(addressOf(email));
      return row === undefined ? null : fromSignUpRow(row);
    });
  }

  page(after: string | null, limit: number, call: Call): Promise<readonly SignUp[]> {
    return this.#database.read(call, () => this.#page.all(after ?? '', limit).map(fromSignUpRow));
  }

  erase(email: string, call: Call): Promise<0 | 1> {
    return this.#database.erase(call, () => (this.#erase.run(addressOf(email)).changes === 0 ? 0 : 1));
  }
}
