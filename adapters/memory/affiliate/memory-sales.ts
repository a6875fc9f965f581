import { lineDueAt, lookDueAt } from '../../../core/affiliate/sale/commission.ts';
import type { SaleEvent } from '../../../core/affiliate/sale/sale-event.ts';
import type { Sale } from '../../../core/affiliate/sale/sale.ts';
import {
  compareLinePlaces,
  compareSalePlaces,
  type LinePlace,
  type Sales,
  type SalesFilter,
  type SalesPart,
} from '../../../core/affiliate/sale/sales.port.ts';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { MemoryStore } from '../data/memory-store.ts';
import { appendEvents } from '../event/memory-events.ts';

export class MemorySales implements Sales {
  readonly #store: MemoryStore;
  readonly #sales: MemoryStore['sales'];

  constructor(store: MemoryStore) {
    this.#store = store;
    this.#sales = store.sales;
  }

  async find(entitlementId: string): Promise<Sale | null> {
    return this.#sales.get(entitlementId) ?? null;
  }

  async named(names: readonly string[]): Promise<readonly Sale[]> {
    const wanted = new Set(names);
    return [...this.#sales.values()].filter(({ id }) => wanted.has(id));
  }

  async page({ after, limit, ...filter }: SalesPart): Promise<readonly Sale[]> {
    return this.#fitting(filter)
      .filter((sale) => after === null || compareSalePlaces(sale, after) > 0)
      .toSorted(compareSalePlaces)
      .slice(0, limit);
  }

  async replace(seen: Sale | null, next: Sale, event: SaleEvent | null, call: Call): Promise<ReplaceOutcome> {
    const { entitlementId } = next;
    if (this.#sales.get(entitlementId)?.revision !== seen?.revision) return { kind: 'stale' };
    this.#sales.set(entitlementId, next);
    if (event !== null) appendEvents(this.#store, next.productId, [event], call.now);
    return { kind: 'replaced' };
  }

  async toLookAt(until: Date, limit: number): Promise<readonly Sale[]> {
    const due = [...this.#sales.values()].flatMap((sale) => {
      const at = lookDueAt(sale);
      return at === null || at > until ? [] : [{ at, sale }];
    });
    return due
      .toSorted((a, b) => a.at.getTime() - b.at.getTime())
      .slice(0, limit)
      .map(({ sale }) => sale);
  }

  async withLines(filter: SalesFilter, until: Date, after: LinePlace | null, limit: number): Promise<readonly Sale[]> {
    return this.#fitting(filter)
      .filter((sale) => after === null || compareLinePlaces(sale, after) > 0)
      .filter((sale) => (lineDueAt(sale)?.getTime() ?? Infinity) <= until.getTime())
      .toSorted(compareLinePlaces)
      .slice(0, limit);
  }

  #fitting({ productId, handle, currency }: SalesFilter): readonly Sale[] {
    return [...this.#sales.values()].filter(
      (sale) =>
        (productId === null || sale.productId === productId) &&
        (handle === null || sale.handle === handle) &&
        (currency === null || sale.currency === currency),
    );
  }
}
