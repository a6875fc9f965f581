import type { Call } from '../../../core/call.ts';
import type { ListSizes, SizedList } from '../../../core/paging/list-sizes.port.ts';
import type { MongoDatabase } from './mongo-database.ts';

export class MongoListSizes implements ListSizes {
  readonly #database: MongoDatabase;

  constructor(database: MongoDatabase) {
    this.#database = database;
  }

  async count(list: SizedList, max: number, call: Call): Promise<number> {
    const { n } = await this.#database.readReply({ count: list.kind, query: queryOf(list), limit: max }, call);
    return n as number;
  }
}

function queryOf(list: SizedList): object {
  if (list.kind === 'entitlements' && list.productId !== null) return { productId: list.productId };
  return list.kind === 'listings' && list.products !== null ? { productId: { $in: list.products } } : {};
}
