import type { Statement } from 'better-sqlite3';
import type { EntitlementPart, NewestPart } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { selectFrom } from '../engine/table.ts';
import { entitlementsTable, type EntitlementRow } from './entitlement-row.ts';

interface Parameters {
  readonly product: string | null;
  readonly reference: string | null;
  /** The ends of license keys, as a JSON array. */
  readonly lastFour: string;
  readonly id: string;
  readonly at: number;
  readonly limit: number;
}

type Page = Statement<[Parameters], EntitlementRow>;

/** Behind every instant that is stored. */
const afterAll = Number.MAX_SAFE_INTEGER;

/** The order of each list, with the place after which a part begins. */
const byId = 'id > @id ORDER BY id LIMIT @limit';
const byAge = '(created_at, id) < (@at, @id) ORDER BY created_at DESC, id DESC LIMIT @limit';

/** Reads parts of the list of entitlements, each by an index. Call `read` within a read. */
export class EntitlementPages {
  readonly #all: Page;
  readonly #ofProduct: Page;
  readonly #byReference: Page;
  readonly #byLastFour: Page;
  readonly #newest: Page;
  readonly #newestOfProduct: Page;
  readonly #newestByLastFour: Page;

  constructor({ connection }: SqliteDatabase) {
    const select = selectFrom(entitlementsTable);
    // Without statistics, SQLite may take the order of another index for cheaper than to sort the few that are found.
    const withLastFour = `${select} INDEXED BY entitlements_last_four
      WHERE license_last_four IN (SELECT value FROM json_each(@lastFour)) AND (@product IS NULL OR product_id = @product)`;
    this.#all = connection.prepare(`${select} WHERE ${byId}`);
    this.#ofProduct = connection.prepare(`${select} WHERE product_id = @product AND ${byId}`);
    this.#byReference = connection.prepare(
      `${select} WHERE product_id = @product AND reference = @reference AND ${byId}`,
    );
    this.#byLastFour = connection.prepare(`${withLastFour} AND ${byId}`);
    this.#newest = connection.prepare(`${select} WHERE ${byAge}`);
    this.#newestOfProduct = connection.prepare(`${select} WHERE product_id = @product AND ${byAge}`);
    this.#newestByLastFour = connection.prepare(`${withLastFour} AND ${byAge}`);
  }

  read(part: EntitlementPart | NewestPart): readonly EntitlementRow[] {
    const { productId, lastFour = null, limit } = part;
    const shared = { product: productId, lastFour: JSON.stringify(lastFour ?? []), limit };
    if ('order' in part) {
      const { id = '', createdAt } = part.after ?? {};
      const statement =
        lastFour !== null ? this.#newestByLastFour : productId === null ? this.#newest : this.#newestOfProduct;
      return statement.all({ ...shared, reference: null, id, at: createdAt?.getTime() ?? afterAll });
    }
    const { reference, after } = part;
    const statement =
      reference !== null
        ? this.#byReference
        : lastFour !== null
          ? this.#byLastFour
          : productId === null
            ? this.#all
            : this.#ofProduct;
    return statement.all({ ...shared, reference, id: after ?? '', at: 0 });
  }
}
