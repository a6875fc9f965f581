import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ListSizes, SizedList } from '../../../core/paging/list-sizes.port.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

interface Parameters {
  readonly max: number;
  readonly product?: string;
  /** In JSON. */
  readonly products?: string;
}

type Count = Statement<[Parameters], number>;

export class SqliteListSizes implements ListSizes {
  readonly #database: SqliteDatabase;
  readonly #counts: Readonly<Record<SizedList['kind'], Count>>;
  readonly #ofProduct: Count;
  readonly #listingsOf: Count;

  constructor(database: SqliteDatabase) {
    const upTo = (from: string): Count =>
      database.connection
        .prepare<[Parameters], number>(`SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT @max)`)
        .pluck();
    this.#database = database;
    this.#counts = { entitlements: upTo('entitlements'), listings: upTo('listings'), waitlist: upTo('waitlist') };
    this.#ofProduct = upTo('entitlements WHERE product_id = @product');
    this.#listingsOf = upTo('listings WHERE product_id IN (SELECT value FROM json_each(@products))');
  }

  count(list: SizedList, max: number, call: Call): Promise<number> {
    return this.#database.read(call, () => {
      if (list.kind === 'entitlements' && list.productId !== null) {
        return this.#ofProduct.get({ max, product: list.productId }) ?? 0;
      }
      if (list.kind === 'listings' && list.products !== null) {
        return this.#listingsOf.get({ max, products: JSON.stringify(list.products) }) ?? 0;
      }
      return this.#counts[list.kind].get({ max }) ?? 0;
    });
  }
}
