import type { Call } from '../../call.ts';
import { compareCodePoints } from '../../code-points.ts';
import type { Digest } from '../../secret.ts';
import { dueAt } from '../sale/commission.ts';
import type { Chain, Sale } from '../sale/sale.ts';
import { endOfMonth, type Month } from './month.ts';
import {
  chainOf,
  isOfChain,
  maxLines,
  statementId,
  type ClosedStatement,
  type Paid,
  type Statement,
  type StatementLine,
} from './statement.ts';

export type Closing =
  | ({ readonly kind: 'closed' } & ClosedStatement)
  /** No sale has a line. */
  | { readonly kind: 'nothing' }
  /** The chain has a statement of this month or a later one. */
  | { readonly kind: 'closed before' };

/**
 * The facts that decide a closing. The sales are those of the chain that may have a line, and contain every line of
 * `last`.
 */
export interface Known {
  readonly chain: Chain;
  /** The last statement of the chain. */
  readonly last: Statement | null;
  readonly sales: readonly Sale[];
}

/** Decides the statement of a chain for a month that is over, by what is known now. */
export function decideClosing(known: Known, month: Month, { now, by }: When, digest: Digest): Closing {
  const { chain, last, sales } = known;
  if (last !== null && last.month >= month) return { kind: 'closed before' };
  const lines = linesOf(sales, endOfMonth(month));
  if (lines.length === 0) return { kind: 'nothing' };
  const number = (last?.number ?? 0) + 1;
  const opening = Math.min(last?.balance ?? 0, 0);
  const total = totalOf(lines);
  const statement: Statement = {
    ...chainOf(chain),
    id: statementId({ ...chain, number }, digest),
    number,
    month,
    closedAt: now,
    by,
    lineCount: lines.length,
    opening,
    total,
    balance: opening + total,
    paid: null,
    revision: 1,
  };
  return { kind: 'closed', statement, lines };
}

type When = Pick<Call, 'now' | 'by'>;

/** The lines that sales have at an instant. If there are too many, the last by `compareTurns` wait. */
function linesOf(sales: readonly Sale[], at: Date): readonly StatementLine[] {
  return sales
    .map((sale) => ({ sale, to: dueAt(sale, at) }))
    .filter(({ sale, to }) => sale.stated !== to)
    .toSorted((a, b) => compareTurns(a.sale, b.sale))
    .slice(0, maxLines)
    .map(({ sale, to }) => ({ sale: sale.id, from: sale.stated, to }))
    .toSorted((a, b) => compareCodePoints(a.sale, b.sale));
}

/**
 * The order in which sales get a line: those that were stated the longest ago, then the oldest. By age alone, a newer
 * sale could wait for ever.
 */
function compareTurns(a: Sale, b: Sale): number {
  const stated = (a.statedUntil?.getTime() ?? 0) - (b.statedUntil?.getTime() ?? 0);
  return stated || a.attributedAt.getTime() - b.attributedAt.getTime() || compareCodePoints(a.id, b.id);
}

/** The sum of the amounts of lines. */
export function totalOf(lines: readonly StatementLine[]): number {
  return Number(lines.reduce((sum, { from, to }) => sum + BigInt(to) - BigInt(from), 0n));
}

/** Whether a line still fits a sale: the sale is of the chain, and exactly `from` of it was stated. */
export function fits({ from }: StatementLine, sale: Chain & Pick<Sale, 'stated'>, chain: Chain): boolean {
  return sale.stated === from && isOfChain(sale, chain);
}

/** Applies a line of a statement to its sale. The same sale if this statement or a later one was applied already. */
export function withLine(sale: Sale, { to }: Pick<StatementLine, 'to'>, { number, month }: Numbered): Sale {
  if (sale.statements >= number) return sale;
  const stated = { stated: to, statements: number, statedUntil: endOfMonth(month) };
  return { ...sale, ...stated, revision: sale.revision + 1 };
}

type Numbered = Pick<Statement, 'number' | 'month'>;

/** A payment as it is recorded; without an instant it was made now. */
export type PaidAsked = Omit<Paid, 'at'> & { readonly at: Date | null };

/** Records that a statement was paid: the same statement if it says so already. */
export function paidStatement(
  statement: Statement,
  { at, method, reference }: PaidAsked,
  { now }: Pick<Call, 'now'>,
): Statement | 'paid otherwise' | 'nothing to pay' {
  const { paid: known, balance, revision } = statement;
  if (balance <= 0) return 'nothing to pay';
  if (known === null) return { ...statement, paid: { at: at ?? now, method, reference }, revision: revision + 1 };
  const isSameTime = at === null || at.getTime() === known.at.getTime();
  return isSameTime && known.method === method && known.reference === reference ? statement : 'paid otherwise';
}

/** Removes the record that a statement was paid. The same statement if it has none. */
export function unpaidStatement(statement: Statement): Statement {
  return statement.paid === null ? statement : { ...statement, paid: null, revision: statement.revision + 1 };
}
