import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import { newEntry, type Invitation, type WaitlistEntry } from '../../../core/waitlist/invitation.ts';
import { addressOf, type SignUp, type WaitlistRole } from '../../../core/waitlist/sign-up.ts';
import type { Waitlist } from '../../../core/waitlist/waitlist.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, table } from '../engine/table.ts';

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
  readonly invited_at: number | null;
  /** The digest of the token of an invitation, and the rest of it as JSON. */
  readonly invitation_digest: string | null;
  readonly invitation: string | null;
}

export const waitlistTable = table<SignUpRow>('waitlist', {
  address: true,
  email: true,
  name: true,
  handle: true,
  role: true,
  at: true,
  requests: true,
  invited_at: true,
  invitation_digest: true,
  invitation: true,
});

export function toSignUpRow(entry: WaitlistEntry): SignUpRow {
  const { email, name, handle, role, at } = entry;
  return { address: addressOf(email), email, name, handle, role, at: at.getTime(), requests: 1, ...invitedRow(entry) };
}

function invitedRow({ invitedAt, invitation }: WaitlistEntry) {
  const { digest = null, ...terms } = invitation ?? {};
  return {
    invited_at: invitedAt?.getTime() ?? null,
    invitation_digest: digest,
    invitation: digest === null ? null : JSON.stringify(terms),
  };
}

export function fromSignUpRow(row: SignUpRow): WaitlistEntry {
  const { email, name, handle, role, at, invited_at: invitedAt } = row;
  return {
    email,
    name,
    handle,
    role,
    at: new Date(at),
    invitedAt: invitedAt === null ? null : new Date(invitedAt),
    invitation: invitationIn(row),
  };
}

function invitationIn({ invitation_digest: digest, invitation }: SignUpRow): Invitation | null {
  if (digest === null || invitation === null) return null;
  const terms = JSON.parse(invitation) as Omit<Invitation, 'digest' | 'expiresAt'> & { readonly expiresAt: string };
  return { ...terms, digest, expiresAt: new Date(terms.expiresAt) };
}

export class SqliteWaitlist implements Waitlist {
  readonly #database: SqliteDatabase;
  readonly #join: Statement<[SignUpRow]>;
  readonly #find: Statement<[string], SignUpRow>;
  readonly #findInvited: Statement<[string], SignUpRow>;
  readonly #page: Statement<[string, number], SignUpRow>;
  readonly #replace: Statement<[object]>;
  readonly #erase: Statement<[string]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    // A known address is written as well, so that the response time does not reveal whether it was known.
    this.#join = connection.prepare(
      `${insertInto(waitlistTable)} ON CONFLICT (address) DO UPDATE SET requests = requests + 1`,
    );
    this.#find = connection.prepare(`${selectFrom(waitlistTable)} WHERE address = ?`);
    this.#findInvited = connection.prepare(`${selectFrom(waitlistTable)} WHERE invitation_digest = ?`);
    this.#replace = connection.prepare(`
      UPDATE waitlist SET invited_at = @invited_at, invitation_digest = @invitation_digest, invitation = @invitation
      WHERE address = @address AND at = @at AND invited_at IS @seen_at AND invitation_digest IS @seen_digest`);
    this.#page = connection.prepare(`${selectFrom(waitlistTable)} WHERE address > ? ORDER BY address LIMIT ?`);
    this.#erase = connection.prepare('DELETE FROM waitlist WHERE address = ?');
  }

  async join(signUp: SignUp, call: Call): Promise<void> {
    const row = toSignUpRow(newEntry(signUp));
    await this.#database.write(call, () => this.#join.run(row));
  }

  find(email: string, call: Call): Promise<WaitlistEntry | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(addressOf(email)), fromSignUpRow));
  }

  findInvited(digest: string, call: Call): Promise<WaitlistEntry | null> {
    return this.#database.read(call, () => mapOrNull(this.#findInvited.get(digest), fromSignUpRow));
  }

  replace(seen: WaitlistEntry, next: WaitlistEntry, call: Call): Promise<'replaced' | 'stale'> {
    const { address, at, invited_at: seenAt, invitation_digest: seenDigest } = toSignUpRow(seen);
    const row = { ...invitedRow(next), address, at, seen_at: seenAt, seen_digest: seenDigest };
    return this.#database.write(call, () => (this.#replace.run(row).changes === 0 ? 'stale' : 'replaced'));
  }

  page(after: string | null, limit: number, call: Call): Promise<readonly WaitlistEntry[]> {
    return this.#database.read(call, () => this.#page.all(after ?? '', limit).map(fromSignUpRow));
  }

  erase(email: string, call: Call): Promise<0 | 1> {
    return this.#database.erase(call, () => (this.#erase.run(addressOf(email)).changes === 0 ? 0 : 1));
  }
}
