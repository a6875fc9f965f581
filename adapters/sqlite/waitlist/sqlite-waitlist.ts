import type { Statement } from 'better-sqlite3';
import type { Call, NewCall } from '../../../core/call.ts';
import { addressOf, type SignUp, type WaitlistRole } from '../../../core/waitlist/sign-up.ts';
import type { Waitlist } from '../../../core/waitlist/waitlist.port.ts';
import { inPages } from '../engine/pages.ts';
import type { SqliteStore } from '../engine/sqlite-database.ts';

export interface SignUpRow {
  readonly address: string;
  readonly email: string;
  readonly name: string | null;
  readonly handle: string | null;
  readonly role: WaitlistRole | null;
  readonly at: number;
}

export class SqliteWaitlist implements Waitlist {
  readonly #store: SqliteStore;
  readonly #join: Statement<[SignUpRow]>;
  readonly #page: Statement<[string, number], SignUpRow>;
  readonly #erase: Statement<[string]>;

  constructor(store: SqliteStore) {
    const { connection } = store;
    this.#store = store;
    // A known address is written too, so that the time of the answer does not tell it from a new one.
    this.#join = connection.prepare(`
      INSERT INTO waitlist VALUES (@address, @email, @name, @handle, @role, @at, 1)
      ON CONFLICT (address) DO UPDATE SET requests = requests + 1`);
    this.#page = connection.prepare('SELECT * FROM waitlist WHERE address > ? ORDER BY address LIMIT ?');
    this.#erase = connection.prepare('DELETE FROM waitlist WHERE address = ?');
  }

  async join({ email, name, handle, role, at }: SignUp, call: Call): Promise<void> {
    const row = { address: addressOf(email), email, name, handle, role, at: at.getTime() };
    await this.#store.writes.write(call, () => this.#join.run(row));
  }

  async *list(newCall: NewCall): AsyncIterable<SignUp> {
    const page = (after: string, size: number): readonly SignUpRow[] => this.#page.all(after, size);
    const rows = inPages(this.#store, newCall, page, ({ address }) => address);
    for await (const { email, name, handle, role, at } of rows) yield { email, name, handle, role, at: new Date(at) };
  }

  erase(email: string, call: Call): Promise<0 | 1> {
    return this.#store.writes.write(call, () => (this.#erase.run(addressOf(email)).changes === 0 ? 0 : 1));
  }
}
