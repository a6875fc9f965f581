import type { Actor } from '../../call.ts';
import { textThat } from '../../parsing/value-rule.ts';
import type { Digest } from '../../secret.ts';
import type { Chain } from '../sale/sale.ts';
import type { Month } from './month.ts';

/** The record that a statement was paid. Latchkey moves no money. */
export interface Paid {
  readonly at: Date;
  /** One line, such as `paypal`. */
  readonly method: string;
  /** One line that identifies the payment there. */
  readonly reference: string;
}

/**
 * The amount that an affiliate is owed for one product, currency and month. It is closed once, and never changes: only
 * the record that it was paid is added and removed. Its lines are kept apart from it. Amounts are in minor units.
 */
export interface Statement extends Chain {
  readonly id: string;
  /** Counts the statements of the chain from 1. */
  readonly number: number;
  readonly month: Month;
  readonly closedAt: Date;
  readonly by: Actor;
  /** The number of lines, 1 or more. */
  readonly lineCount: number;
  /** The balance of the statement before it, where that is below 0; else 0. */
  readonly opening: number;
  /** The sum of the amounts of its lines. */
  readonly total: number;
  /** The amount that is owed: the opening and the total. Below 0 it is carried to the next statement. */
  readonly balance: number;
  /** Null if it was not paid. */
  readonly paid: Paid | null;
  /** 1 once it is closed. Counts each change of `paid`. */
  readonly revision: number;
}

/** The commission on one sale in a statement. Its amount is `to` minus `from`. */
export interface StatementLine {
  /** The name of the sale (`saleId`). */
  readonly sale: string;
  /** The commission on the sale in earlier statements. */
  readonly from: number;
  /** The commission that was due when the statement was closed. */
  readonly to: number;
}

/** A statement with its lines, by the name of the sale in code-point order. */
export interface ClosedStatement {
  readonly statement: Statement;
  readonly lines: readonly StatementLine[];
}

const maxPaidText = 100;

/** The method and the reference of a payment. */
export const paidTextRule = textThat(
  (text) => text.trim() !== '' && [...text].length <= maxPaidText && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text),
  `must be one line of 1 to ${maxPaidText} characters, not blank`,
);

/** The maximum number of lines of a statement. Further lines are in the next one. */
export const maxLines = 10_000;

export const statementStates = ['carried', 'settled', 'to_pay', 'paid'] as const;

export type StatementState = (typeof statementStates)[number];

export function stateOf({ balance, paid }: Pick<Statement, 'balance' | 'paid'>): StatementState {
  if (paid !== null) return 'paid';
  if (balance === 0) return 'settled';
  return balance < 0 ? 'carried' : 'to_pay';
}

/** Names a statement. Two processes that close one month of a chain make the same id. */
export function statementId({ productId, handle, currency, number }: Place, digest: Digest): string {
  return `st_${digest([productId, handle, currency, number].join('\n')).slice(0, 22)}`;
}

type Place = Pick<Statement, keyof Chain | 'number'>;

export function chainOf({ productId, handle, currency }: Chain): Chain {
  return { productId, handle, currency };
}

export function isOfChain(one: Chain, { productId, handle, currency }: Chain): boolean {
  return one.productId === productId && one.handle === handle && one.currency === currency;
}
