import type { Call } from '../../call.ts';
import { compareCodePoints } from '../../code-points.ts';
import type { ReplaceOutcome } from '../../compare-and-set.ts';
import type { SaleEvent } from './sale-event.ts';
import type { Chain, Sale } from './sale.ts';

/** Which sales are asked for. Null for all. */
export type SalesFilter = { readonly [Name in keyof Chain]: Chain[Name] | null };

/** The place of a sale in the list of the newest. */
export type SalePlace = Pick<Sale, 'attributedAt' | 'id'>;

/** The place of a sale among those of all chains. */
export type LinePlace = Pick<Sale, keyof Chain | 'id'>;

/** Sales after a place, or the first ones. */
export interface SalesPart extends SalesFilter {
  readonly after: SalePlace | null;
  readonly limit: number;
}

/** The sales that affiliates have brought. */
export interface Sales {
  find(entitlementId: string, call: Call): Promise<Sale | null>;

  /** Finds the sales with these names (`saleId`), in any order. At most 500. */
  named(names: readonly string[], call: Call): Promise<readonly Sale[]>;

  /** Lists sales, the newest first. */
  page(part: SalesPart, call: Call): Promise<readonly Sale[]>;

  /**
   * Stores a sale if the stored one still has the revision that was seen, or if none was seen and none is stored. `next`
   * has the next revision. The event of one that is new is stored with it; for any other it is null.
   */
  replace(seen: Sale | null, next: Sale, event: SaleEvent | null, call: Call): Promise<ReplaceOutcome>;

  /** Lists the sales that a look has to confirm by then (`lookDueAt`), the longest due first. */
  toLookAt(until: Date, limit: number, call: Call): Promise<readonly Sale[]>;

  /**
   * Lists the sales of which a statement may have a line by then (`lineDueAt`), after a place or the first ones: chain by
   * chain, by product, affiliate, currency and id in code-point order.
   */
  withLines(
    filter: SalesFilter,
    until: Date,
    after: LinePlace | null,
    limit: number,
    call: Call,
  ): Promise<readonly Sale[]>;
}

/** The order of the list of the newest. */
export function compareSalePlaces(a: SalePlace, b: SalePlace): number {
  return b.attributedAt.getTime() - a.attributedAt.getTime() || compareCodePoints(b.id, a.id);
}

/** The order of `withLines`. */
export function compareLinePlaces(a: LinePlace, b: LinePlace): number {
  return (
    compareCodePoints(a.productId, b.productId) ||
    compareCodePoints(a.handle, b.handle) ||
    compareCodePoints(a.currency, b.currency) ||
    compareCodePoints(a.id, b.id)
  );
}
