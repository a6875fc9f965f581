import type { Statement } from 'better-sqlite3';
import type { Affiliate } from '../../../core/affiliate/affiliate.ts';
import type { Affiliates } from '../../../core/affiliate/affiliates.port.ts';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { addressOf } from '../../../core/waitlist/sign-up.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, table } from '../engine/table.ts';

/** A row of `affiliates`. Instants are milliseconds since 1970. */
interface AffiliateRow {
  readonly handle: string;
  readonly name: string;
  readonly email: string | null;
  /** The e-mail address as `addressOf` normalizes it: one row for each. */
  readonly address: string | null;
  readonly about: string | null;
  readonly url: string | null;
  readonly pay_to: string | null;
  readonly state: Affiliate['state'];
  readonly created_at: number;
  readonly revision: number;
}

export const affiliatesTable = table<AffiliateRow>('affiliates', {
  handle: true,
  name: true,
  email: true,
  address: true,
  about: true,
  url: true,
  pay_to: true,
  state: true,
  created_at: true,
  revision: true,
});

export function toAffiliateRow({ createdAt, payTo, ...members }: Affiliate): AffiliateRow {
  const address = members.email && addressOf(members.email);
  return { ...members, address, pay_to: payTo, created_at: createdAt.getTime() };
}

export function fromAffiliateRow(row: AffiliateRow): Affiliate {
  const { address: _address, pay_to: payTo, created_at: createdAt, ...members } = row;
  return { ...members, payTo, createdAt: new Date(createdAt) };
}

export class SqliteAffiliates implements Affiliates {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], AffiliateRow>;
  readonly #findByAddress: Statement<[string], AffiliateRow>;
  readonly #page: Statement<[string, number], AffiliateRow>;
  readonly #insert: Statement<[AffiliateRow]>;
  readonly #update: Statement<[AffiliateRow]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    const select = selectFrom(affiliatesTable);
    const sets = affiliatesTable.columns.map((column) => `${column} = @${column}`);
    this.#database = database;
    this.#find = connection.prepare(`${select} WHERE handle = ?`);
    this.#findByAddress = connection.prepare(`${select} WHERE address = ?`);
    this.#page = connection.prepare(`${select} WHERE handle > ? ORDER BY handle LIMIT ?`);
    this.#insert = connection.prepare(`${insertInto(affiliatesTable)} ON CONFLICT DO NOTHING`);
    // Nothing is changed if another affiliate has the address.
    this.#update = connection.prepare(
      `UPDATE OR IGNORE affiliates SET ${sets.join(', ')} WHERE handle = @handle AND revision = @revision - 1`,
    );
  }

  find(handle: string, call: Call): Promise<Affiliate | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(handle), fromAffiliateRow));
  }

  findByAddress(email: string, call: Call): Promise<Affiliate | null> {
    return this.#database.read(call, () => mapOrNull(this.#findByAddress.get(addressOf(email)), fromAffiliateRow));
  }

  page(after: string | null, limit: number, call: Call): Promise<readonly Affiliate[]> {
    return this.#database.read(call, () => this.#page.all(after ?? '', limit).map(fromAffiliateRow));
  }

  replace(seen: Affiliate | null, next: Affiliate, call: Call): Promise<ReplaceOutcome> {
    const write = seen === null ? this.#insert : this.#update;
    const row = toAffiliateRow(next);
    const work = (): ReplaceOutcome => ({ kind: write.run(row).changes === 0 ? 'stale' : 'replaced' });
    // An update may replace an address, and the old one must be erased.
    return seen === null ? this.#database.write(call, work) : this.#database.erase(call, work);
  }
}
