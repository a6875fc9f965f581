import type { Statement } from 'better-sqlite3';
import type { CaseKind, CasePlace, StripeCase, StripeCases } from '../../../core/billing/stripe-cases.port.ts';
import type { Call } from '../../../core/call.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, selectFrom, table } from '../engine/table.ts';

/** A row of `stripe_cases`. */
interface CaseRow {
  readonly id: string;
  readonly kind: CaseKind;
  readonly since: number;
  readonly detail: string | null;
  readonly change: StripeCase['change'];
  readonly charge_at: number | null;
  readonly charge_amount: number | null;
  readonly charge_currency: string | null;
}

const casesTable = table<CaseRow>('stripe_cases', {
  id: true,
  kind: true,
  since: true,
  detail: true,
  change: true,
  charge_at: true,
  charge_amount: true,
  charge_currency: true,
});

interface CaseCount {
  readonly kind: CaseKind;
  readonly count: number;
}

export class SqliteStripeCases implements StripeCases {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], CaseRow>;
  readonly #page: Statement<[number, string, string, number], CaseRow>;
  readonly #count: Statement<[], CaseCount>;
  readonly #put: Statement<[CaseRow]>;
  readonly #remove: Statement<[string, string]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#find = connection.prepare(`${selectFrom(casesTable)} WHERE id = ? ORDER BY kind`);
    this.#page = connection.prepare(
      `${selectFrom(casesTable)} WHERE (since, id, kind) > (?, ?, ?) ORDER BY since, id, kind LIMIT ?`,
    );
    this.#count = connection.prepare('SELECT kind, count(*) AS count FROM stripe_cases GROUP BY kind');
    this.#put = connection.prepare(`
      ${insertInto(casesTable)} ON CONFLICT (id, kind) DO UPDATE SET
        detail = @detail, change = @change,
        charge_at = @charge_at, charge_amount = @charge_amount, charge_currency = @charge_currency`);
    this.#remove = connection.prepare('DELETE FROM stripe_cases WHERE id = ? AND kind = ?');
  }

  find(id: string, call: Call): Promise<readonly StripeCase[]> {
    return this.#database.read(call, () => this.#find.all(id).map(fromCaseRow));
  }

  page(after: CasePlace | null, limit: number, call: Call): Promise<readonly StripeCase[]> {
    const { since, id, kind } = after ?? { since: new Date(0), id: '', kind: '' };
    return this.#database.read(call, () => this.#page.all(since.getTime(), id, kind, limit).map(fromCaseRow));
  }

  count(call: Call): Promise<ReadonlyMap<CaseKind, number>> {
    return this.#database.read(call, () => new Map(this.#count.all().map(({ kind, count }) => [kind, count])));
  }

  async put(found: StripeCase, call: Call): Promise<void> {
    await this.#database.write(call, () => this.#put.run(toCaseRow(found)));
  }

  async remove(id: string, kinds: readonly CaseKind[], call: Call): Promise<void> {
    await this.#database.write(call, () => {
      for (const kind of kinds) this.#remove.run(id, kind);
    });
  }
}

function toCaseRow({ id, kind, since, detail, change, charge }: StripeCase): CaseRow {
  return {
    id,
    kind,
    since: since.getTime(),
    detail,
    change,
    charge_at: charge?.at.getTime() ?? null,
    charge_amount: charge?.amount ?? null,
    charge_currency: charge?.currency ?? null,
  };
}

function fromCaseRow(row: CaseRow): StripeCase {
  const { id, kind, since, detail, change, charge_at: at, charge_amount: amount, charge_currency: currency } = row;
  const charge = at === null || currency === null ? null : { at: new Date(at), amount, currency };
  return { id, kind, since: new Date(since), detail, change, charge };
}
