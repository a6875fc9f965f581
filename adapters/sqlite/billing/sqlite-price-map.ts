import type { Statement } from 'better-sqlite3';
import type { PriceMap, PriceMapping } from '../../../core/billing/price-map.port.ts';
import type { Call } from '../../../core/call.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, table } from '../engine/table.ts';

/** A row of `prices`. */
export interface PriceRow {
  readonly price: string;
  readonly product_id: string;
  readonly tier_id: string;
  readonly tier_name: string;
  readonly device_limit: number | null;
  readonly updates: number | null;
}

export const pricesTable = table<PriceRow>('prices', {
  price: true,
  product_id: true,
  tier_id: true,
  tier_name: true,
  device_limit: true,
  updates: true,
});

export function toPriceRow({ price, productId, tierId, tierName, deviceLimit, updates }: PriceMapping): PriceRow {
  return {
    price,
    product_id: productId,
    tier_id: tierId,
    tier_name: tierName,
    device_limit: deviceLimit,
    updates: updates ?? null,
  };
}

export function fromPriceRow(row: PriceRow): PriceMapping {
  return {
    price: row.price,
    productId: row.product_id,
    tierId: row.tier_id,
    tierName: row.tier_name,
    deviceLimit: row.device_limit,
    updates: row.updates,
  };
}

export class SqlitePriceMap implements PriceMap {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], PriceRow>;
  readonly #page: Statement<[string, number], PriceRow>;
  readonly #insert: Statement<[PriceRow]>;
  readonly #replace: Statement<[PriceRow]>;
  readonly #remove: Statement<[string]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#find = connection.prepare(`${selectFrom(pricesTable)} WHERE price = ?`);
    this.#page = connection.prepare(`${selectFrom(pricesTable)} WHERE price > ? ORDER BY price LIMIT ?`);
    this.#insert = connection.prepare(`${insertInto(pricesTable)} ON CONFLICT DO NOTHING`);
    this.#replace = connection.prepare(`
      UPDATE prices SET product_id = @product_id, tier_id = @tier_id, tier_name = @tier_name, device_limit = @device_limit, updates = @updates
      WHERE price = @price
        AND (product_id, tier_id, tier_name, device_limit, updates) IS NOT (@product_id, @tier_id, @tier_name, @device_limit, @updates)`);
    this.#remove = connection.prepare('DELETE FROM prices WHERE price = ?');
  }

  find(price: string, call: Call): Promise<PriceMapping | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(price), fromPriceRow));
  }

  page(after: string | null, limit: number, call: Call): Promise<readonly PriceMapping[]> {
    return this.#database.read(call, () => this.#page.all(after ?? '', limit).map(fromPriceRow));
  }

  put(mapping: PriceMapping, call: Call): Promise<'added' | 'replaced' | 'unchanged'> {
    const row = toPriceRow(mapping);
    return this.#database.write(call, () => {
      if (this.#insert.run(row).changes === 1) return 'added';
      return this.#replace.run(row).changes === 1 ? 'replaced' : 'unchanged';
    });
  }

  remove(price: string, call: Call): Promise<boolean> {
    return this.#database.write(call, () => this.#remove.run(price).changes === 1);
  }
}
