import type { Statement } from 'better-sqlite3';
import type { Promotion, PromotionState } from '../../../core/affiliate/promotion.ts';
import type { PromotionFilter, PromotionPart, Promotions } from '../../../core/affiliate/promotions.port.ts';
import type { TermsVersion } from '../../../core/affiliate/sale/terms.ts';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, table, updateOf } from '../engine/table.ts';

/**
 * A row of `promotions`. Instants are milliseconds since 1970; `codes` and `terms` are JSON. Triggers bring the codes into
 * `promotion_codes`, which has each code of a product once.
 */
interface PromotionRow {
  readonly handle: string;
  readonly slug: string;
  readonly product_id: string;
  readonly state: PromotionState;
  readonly codes: string;
  readonly terms: string;
  readonly asked_at: number;
  readonly revision: number;
}

export const promotionsTable = table<PromotionRow>('promotions', {
  handle: true,
  slug: true,
  product_id: true,
  state: true,
  codes: true,
  terms: true,
  asked_at: true,
  revision: true,
});

type StoredVersion = TermsVersion & { readonly from: number };

export function toPromotionRow({ productId, codes, terms, askedAt, ...members }: Promotion): PromotionRow {
  return {
    ...members,
    product_id: productId,
    codes: JSON.stringify(codes),
    terms: JSON.stringify(terms.map((version) => ({ ...version, from: version.from.getTime() }))),
    asked_at: askedAt.getTime(),
  };
}

export function fromPromotionRow(row: PromotionRow): Promotion {
  const { product_id: productId, codes, terms, asked_at: askedAt, ...members } = row;
  const versions = JSON.parse(terms) as readonly StoredVersion[];
  return {
    ...members,
    productId,
    codes: JSON.parse(codes) as readonly string[],
    terms: versions.map((version) => ({ ...version, from: new Date(version.from) })),
    askedAt: new Date(askedAt),
  };
}

const select = selectFrom(promotionsTable);

const key = 'handle = @handle AND slug = @slug';

export class SqlitePromotions implements Promotions {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string, string], PromotionRow>;
  readonly #ofCode: Statement<[string, string], PromotionRow>;
  readonly #count: Statement<[string, string], number>;
  readonly #takenCode: Statement<[PromotionRow], number>;
  readonly #insert: Statement<[PromotionRow]>;
  readonly #update: Statement<[PromotionRow]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#find = connection.prepare(`${select} WHERE handle = ? AND slug = ?`);
    this.#ofCode = connection.prepare(
      `${select} WHERE (handle, slug) = (SELECT handle, slug FROM promotion_codes WHERE product_id = ? AND code = ?)`,
    );
    this.#count = connection
      .prepare<[string, string], number>(
        `SELECT count(*) FROM promotions WHERE slug = ? AND product_id = ? AND state = 'live'`,
      )
      .pluck();
    this.#takenCode = connection
      .prepare<[PromotionRow], number>(
        `SELECT 1 FROM promotion_codes
         WHERE product_id = @product_id AND code IN (SELECT value FROM json_each(@codes)) AND NOT (${key}) LIMIT 1`,
      )
      .pluck();
    this.#insert = connection.prepare(`${insertInto(promotionsTable)} ON CONFLICT DO NOTHING`);
    this.#update = connection.prepare(`${updateOf(promotionsTable)} WHERE ${key} AND revision = @revision - 1`);
  }

  find(handle: string, slug: string, call: Call): Promise<Promotion | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(handle, slug), fromPromotionRow));
  }

  ofAffiliate(handle: string, call: Call): Promise<readonly Promotion[]> {
    return this.page({ handle, slug: null, productId: null, state: null, after: null, limit: -1 }, call);
  }

  ofCode(productId: string, code: string, call: Call): Promise<Promotion | null> {
    return this.#database.read(call, () => mapOrNull(this.#ofCode.get(productId, code), fromPromotionRow));
  }

  page({ after, limit, ...filter }: PromotionPart, call: Call): Promise<readonly Promotion[]> {
    const place = after === null ? [] : ['(handle, slug) > (@afterHandle, @afterSlug)'];
    const conditions = [...conditionsOf(filter), ...place];
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const values = { ...filter, afterHandle: after?.handle, afterSlug: after?.slug, limit };
    const sql = `${select} ${where} ORDER BY handle, slug LIMIT @limit`;
    const statement = this.#database.connection.prepare<[object], PromotionRow>(sql);
    return this.#database.read(call, () => statement.all(values).map(fromPromotionRow));
  }

  count(slug: string, productId: string, call: Call): Promise<number> {
    return this.#database.read(call, () => this.#count.get(slug, productId) ?? 0);
  }

  replace(seen: Promotion | null, next: Promotion, call: Call): Promise<ReplaceOutcome> {
    const write = seen === null ? this.#insert : this.#update;
    const row = toPromotionRow(next);
    return this.#database.write(call, () => {
      const isStale = this.#takenCode.get(row) !== undefined || write.run(row).changes === 0;
      return { kind: isStale ? 'stale' : 'replaced' };
    });
  }
}

function conditionsOf(filter: PromotionFilter): readonly string[] {
  const columns = { handle: 'handle', slug: 'slug', productId: 'product_id', state: 'state' } as const;
  const names = Object.keys(columns) as (keyof typeof columns)[];
  return names.filter((name) => filter[name] !== null).map((name) => `${columns[name]} = @${name}`);
}
