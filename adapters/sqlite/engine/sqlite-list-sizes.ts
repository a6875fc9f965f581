import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ListSizes, SizedList } from '../../../core/paging/list-sizes.port.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

interface Parameters {
  readonly max: number;
  readonly product: string | null;
}

type Count = Statement<[Parameters], number>;

export class SqliteListSizes implements ListSizes {
  readonly #database: SqliteDatabase;
  readonly #counts: Readonly<Record<SizedList['kind'], Count>>;
  readonly #ofProduct: Count;

  constructor(database: SqliteDatabase) {
    const upTo = (from: string): Count =>
      database.connection
        .prepare<[Parameters], number>(`SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT @max)`)
        .pluck();
    this.#database = database;
    this.#counts = { entitlements: upTo('entitlements'), listings: upTo('listings'), waitlist: upTo('waitlist') };
    this.#ofProduct = upTo('entitlements WHERE product_id = @product');
  }

  count(list: SizedList, max: number, call: Call): Promise<number> {
    const product = list.kind === 'entitlements' ? list.productId : null;
    const counted = product === null ? this.#counts[list.kind] : this.#ofProduct;
    return this.#database.read(call, () => counted.get({ max, product }) ?? 0);
  }
}
