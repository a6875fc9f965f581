import type { Call, NewCall } from '../../call.ts';
import { untilStored } from '../../compare-and-set.ts';
import { cursorAt, instantIn, positionIn } from '../../paging/cursor.ts';
import { pageOf, type Page, type PageRequest } from '../../paging/page.ts';
import { walk } from '../../paging/walk.ts';
import { Refusal } from '../../refusal.ts';
import { restoredSale, voidedSale } from '../sale/decide-sale.ts';
import type { Sale } from '../sale/sale.ts';
import type { SalePlace, Sales, SalesFilter } from '../sale/sales.port.ts';
import { shownSale, type ShownSale } from './shown-sale.ts';

/** Reads the sale of an entitlement. Refuses with `sale_not_found`. */
export type ShowSale = (entitlementId: string, call: Call) => Promise<ShownSale>;

export function showSale(sales: Pick<Sales, 'find'>): ShowSale {
  return async (entitlementId, call) => shownSale(await existing(sales, entitlementId, call), call);
}

/** Lists sales, the newest first. Refuses with `invalid_parameter`. */
export type ListSales = (filter: SalesFilter, page: PageRequest, call: Call) => Promise<Page<ShownSale>>;

export function listSales(sales: Pick<Sales, 'page'>): ListSales {
  return async (filter, page, call) => {
    const list = ['sales', filter.productId, filter.handle, filter.currency] as const;
    const after = page.after === null ? null : placeIn(positionIn(list, page.after));
    const found = await sales.page({ ...filter, after, limit: page.limit + 1 }, call);
    const shown = found.map((sale) => shownSale(sale, call));
    return pageOf(shown, page, ({ attributedAt, id }) => cursorAt(list, [attributedAt.toISOString(), id]));
  };
}

function placeIn([at, id = '']: readonly [string, ...string[]]): SalePlace {
  return { attributedAt: instantIn(at), id };
}

/** Reads sales one after another, the newest first. */
export type EverySale = (filter: SalesFilter, newCall: NewCall) => AsyncIterable<ShownSale>;

export function everySale(sales: Pick<Sales, 'page'>): EverySale {
  return async function* (filter, newCall) {
    const { now } = newCall();
    const all = walk<Sale>((after, limit, call) => sales.page({ ...filter, after, limit }, call), newCall);
    for await (const sale of all) yield shownSale(sale, { now });
  };
}

/** The sale as a change leaves it, and whether it has changed. */
export interface ChangedSale {
  readonly sale: ShownSale;
  readonly changed: boolean;
}

/** Lets a sale earn nothing. One that is void stays as it is. Refuses with `sale_not_found` and `changed_meanwhile`. */
export type VoidSale = (entitlementId: string, reason: string, call: Call) => Promise<ChangedSale>;

export function voidSale(sales: Pick<Sales, 'find' | 'replace'>): VoidSale {
  return (entitlementId, reason, call) => change(sales, entitlementId, call, (sale) => voidedSale(sale, reason, call));
}

/** Lets a void sale earn again. Refuses with `sale_not_found` and `changed_meanwhile`. */
export type RestoreSale = (entitlementId: string, call: Call) => Promise<ChangedSale>;

export function restoreSale(sales: Pick<Sales, 'find' | 'replace'>): RestoreSale {
  return (entitlementId, call) => change(sales, entitlementId, call, restoredSale);
}

function change(
  sales: Pick<Sales, 'find' | 'replace'>,
  entitlementId: string,
  call: Call,
  decide: (sale: Sale) => Sale,
): Promise<ChangedSale> {
  return untilStored(call, async () => {
    const seen = await existing(sales, entitlementId, call);
    const next = decide(seen);
    if (next !== seen && (await sales.replace(seen, next, null, call)).kind === 'stale') return 'stale';
    return { sale: shownSale(next, call), changed: next !== seen };
  });
}

async function existing(sales: Pick<Sales, 'find'>, entitlementId: string, call: Call): Promise<Sale> {
  const sale = await sales.find(entitlementId, call);
  if (sale === null) throw new Refusal('sale_not_found');
  return sale;
}
