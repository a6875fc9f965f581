import type { Call } from '../../call.ts';
import { compareCodePoints } from '../../code-points.ts';
import { defaultPageSize, maxPageSize, type Page } from '../../paging/page.ts';
import type { Products } from '../../product/products.port.ts';
import { Refusal } from '../../refusal.ts';
import { lastHoldEnd } from '../sale/commission.ts';
import { unknownCurrency } from '../sale/sale.ts';
import type { Sales } from '../sale/sales.port.ts';
import { listSales } from '../selling/manage-sales.ts';
import type { ShownSale } from '../selling/shown-sale.ts';
import type { Statement } from '../statement/statement.ts';
import { allStatements, type Statements } from '../statement/statements.port.ts';
import { listStatements } from './manage-statements.ts';

/** The earnings of an affiliate in one currency, in minor units. */
export interface Earned {
  readonly currency: string;
  /** The sum and the number of the statements to pay; null if there are more than can be added up. */
  readonly toPay: { readonly amount: number; readonly count: number } | null;
  /** The commission that is in no statement yet; null if there are more sales than can be added up. */
  readonly unstated: Unstated | null;
  /**
   * The balance that the next statements take over from those before them, 0 or less. It is no part of `unstated`. Null
   * if there are more statements with such a balance than are read.
   */
  readonly carried: number | null;
}

interface Unstated {
  /** The commission that is due and in no statement. Negative where more was stated than is due now. */
  readonly due: number;
  /** The commission whose hold has not ended, or whose payment was not confirmed since. */
  readonly waiting: number;
  /** The end of the last of these holds; null if nothing waits. */
  readonly waitingUntil: Date | null;
}

/** The sales and the statements of an affiliate. */
export interface Earnings {
  readonly earned: readonly Earned[];
  /** The newest, at most `maxPageSize`. */
  readonly sales: readonly ShownSale[];
  readonly hasMoreSales: boolean;
  readonly statements: Page<Statement>;
  /** The names of their products, by id. */
  readonly productNames: ReadonlyMap<string, string>;
}

/**
 * Reads the earnings of an affiliate: the newest sales, statements from a cursor on, and the sums of all sales and of
 * all statements to pay, as long as these are at most `maxPageSize`. Refuses with `invalid_parameter`.
 */
export type ShowEarnings = (handle: string, after: string | null, call: Call) => Promise<Earnings>;

interface Ports {
  readonly products: Pick<Products, 'find'>;
  readonly sales: Pick<Sales, 'page'>;
  readonly statements: Pick<Statements, 'last' | 'page'>;
}

export function showEarnings({ products, sales, statements }: Ports): ShowEarnings {
  const sold = listSales(sales);
  const stated = listStatements(statements);
  return async (handle, after, call) => {
    const first = { limit: maxPageSize, after: null };
    const own = { ...allStatements, handle };
    const [newest, toPay, belowZero, page] = await Promise.all([
      sold({ handle, productId: null, currency: null }, first, call),
      stated({ ...own, state: 'to_pay' }, first, call),
      stated({ ...own, state: 'carried' }, first, call),
      stated(own, { limit: defaultPageSize, after }, call),
    ]);
    const ids = new Set([...newest.items, ...page.items].map(({ productId }) => productId));
    const found = await Promise.all([...ids].map((id) => products.find(id, call)));
    return {
      earned: earnedIn(
        newest.next === null ? newest.items : null,
        toPay.next === null ? toPay.items : null,
        belowZero.next === null ? await carriedIn(statements, belowZero.items, call) : null,
      ),
      sales: newest.items,
      hasMoreSales: newest.next !== null,
      statements: page,
      productNames: new Map(found.filter((product) => product !== null).map(({ id, name }) => [id, name])),
    };
  };
}

/** Finds the statements whose balance the next one of their chain takes over, among those that had one below 0. */
async function carriedIn(
  statements: Pick<Statements, 'last'>,
  belowZero: readonly Statement[],
  call: Call,
): Promise<readonly Statement[]> {
  const chains = Map.groupBy(belowZero, ({ productId, currency }) => `${productId} ${currency}`);
  const last = await Promise.all([...chains.values()].flatMap(([one]) => (one ? [statements.last(one, call)] : [])));
  return last.filter((each) => each !== null).filter(({ balance }) => balance < 0);
}

/**
 * Adds up all sales, all statements to pay and all that are carried over, by currency. Null stands for a list that is
 * too long to be added up.
 */
function earnedIn(
  sales: readonly ShownSale[] | null,
  toPay: readonly Statement[] | null,
  carried: readonly Statement[] | null,
): readonly Earned[] {
  const currencies = new Set([...(sales ?? []), ...(toPay ?? []), ...(carried ?? [])].map(({ currency }) => currency));
  currencies.delete(unknownCurrency);
  return [...currencies].toSorted(compareCodePoints).map((currency) => {
    const sold = sales?.filter((sale) => sale.currency === currency) ?? null;
    const owed = toPay?.filter((statement) => statement.currency === currency) ?? null;
    const over = carried?.filter((statement) => statement.currency === currency) ?? null;
    return {
      currency,
      carried: over && sumOf(over, ({ balance }) => balance),
      toPay: owed && { amount: sumOf(owed, ({ balance }) => balance), count: owed.length },
      unstated: sold && {
        due: sumOf(sold, ({ due, stated }) => due - stated),
        waiting: sumOf(sold, ({ waiting }) => waiting),
        waitingUntil: latest(sold.filter(({ waiting }) => waiting > 0).map(lastHoldEnd)),
      },
    };
  });
}

function sumOf<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0);
}

function latest(instants: readonly (Date | null)[]): Date | null {
  return instants.reduce((last, each) => (last === null || (each !== null && each > last) ? each : last), null);
}

/** Finds a statement of an affiliate. Refuses with `statement_not_found`, also for that of another. */
export type FindOwnStatement = (handle: string, id: string, call: Call) => Promise<Statement>;

export function findOwnStatement(statements: Pick<Statements, 'find'>): FindOwnStatement {
  return async (handle, id, call) => {
    const statement = await statements.find(id, call);
    if (statement?.handle !== handle) throw new Refusal('statement_not_found');
    return statement;
  };
}
