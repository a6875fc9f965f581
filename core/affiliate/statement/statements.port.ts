import type { Call } from '../../call.ts';
import { compareCodePoints } from '../../code-points.ts';
import type { ReplaceOutcome } from '../../compare-and-set.ts';
import type { Chain } from '../sale/sale.ts';
import type { StatementEvent } from './statement-event.ts';
import type { ClosedStatement, Statement, StatementLine, StatementState } from './statement.ts';

/** The place of a statement in the list of all. A chain has at most one for a month. */
export type StatementPlace = Pick<Statement, keyof Chain | 'month'>;

/** Which statements are asked for. Null for all. */
export interface StatementFilter {
  readonly productId: string | null;
  readonly handle: string | null;
  readonly month: string | null;
  readonly state: StatementState | null;
}

export const allStatements: StatementFilter = { productId: null, handle: null, month: null, state: null };

/** Statements after a place, or the first ones. */
export interface StatementsPart extends StatementFilter {
  readonly after: StatementPlace | null;
  readonly limit: number;
}

export type AddOutcome =
  | { readonly kind: 'added' }
  /** The chain has a statement of this number, or a line does not fit its sale any more. Nothing was stored. */
  | { readonly kind: 'taken' };

/** The monthly statements of affiliates. No statement is ever removed, and none changes but for `paid`. */
export interface Statements {
  /**
   * Finds the last statement of a chain, once each of its lines is applied to its sale: it finishes an `add` whose
   * process has ended.
   */
  last(chain: Chain, call: Call): Promise<Statement | null>;

  find(id: string, call: Call): Promise<Statement | null>;

  /** Lists statements: the newest month first, then by affiliate, product and currency in code-point order. */
  page(part: StatementsPart, call: Call): Promise<readonly Statement[]>;

  /** Lists at most `limit` lines of a statement after the name of a sale, or the first ones. */
  lines(id: string, after: string | null, limit: number, call: Call): Promise<readonly StatementLine[]>;

  /**
   * Stores a statement with its event, and applies each line to its sale (`withLine`). A statement is stored whole or
   * not at all; where its lines are applied afterwards, `last` finishes what was interrupted.
   */
  add(closed: ClosedStatement, event: StatementEvent, call: Call): Promise<AddOutcome>;

  /** Stores a change of `paid`, with its event, if the stored statement still has the revision that was seen. */
  setPaid(seen: Statement, next: Statement, event: StatementEvent, call: Call): Promise<ReplaceOutcome>;
}

/** The order of the list. */
export function compareStatementPlaces(a: StatementPlace, b: StatementPlace): number {
  return (
    compareCodePoints(b.month, a.month) ||
    compareCodePoints(a.handle, b.handle) ||
    compareCodePoints(a.productId, b.productId) ||
    compareCodePoints(a.currency, b.currency)
  );
}
