import {
  stateOf,
  type ClosedStatement,
  type Paid,
  type Statement,
  type StatementLine,
  type StatementState,
} from '../../../core/affiliate/statement/statement.ts';
import { table } from '../engine/table.ts';

/**
 * A row of `statements` without its lines. Instants are milliseconds since 1970; `paid` is JSON. `state` is what `stateOf`
 * says.
 */
export interface StatementRow {
  readonly id: string;
  readonly product_id: string;
  readonly handle: string;
  readonly currency: string;
  readonly number: number;
  readonly month: string;
  readonly closed_at: number;
  readonly closed_by: Statement['by'];
  readonly line_count: number;
  readonly opening: number;
  readonly total: number;
  readonly balance: number;
  readonly paid: string | null;
  readonly state: StatementState;
  readonly revision: number;
}

/** A whole row. `lines` is JSON, and the last column, so that a read of the others passes its pages over. */
type ClosedRow = StatementRow & { readonly lines: string };

const columns = {
  id: true,
  product_id: true,
  handle: true,
  currency: true,
  number: true,
  month: true,
  closed_at: true,
  closed_by: true,
  line_count: true,
  opening: true,
  total: true,
  balance: true,
  paid: true,
  state: true,
  revision: true,
} as const;

export const statementsTable = table<StatementRow>('statements', columns);

/** The same with the lines. */
export const closedTable = table<ClosedRow>('statements', { ...columns, lines: true });

type StoredLine = readonly [sale: string, from: number, to: number];
type StoredPaid = Omit<Paid, 'at'> & { readonly at: number };

export function toStatementRow(statement: Statement): StatementRow {
  const { productId, closedAt, by, lineCount, paid, ...members } = statement;
  return {
    ...members,
    product_id: productId,
    closed_at: closedAt.getTime(),
    closed_by: by,
    line_count: lineCount,
    paid: paid && JSON.stringify({ ...paid, at: paid.at.getTime() }),
    state: stateOf(statement),
  };
}

export function fromStatementRow(row: StatementRow): Statement {
  const { id, handle, currency, number, month, opening, total, balance, revision } = row;
  return {
    productId: row.product_id,
    handle,
    currency,
    id,
    number,
    month,
    closedAt: new Date(row.closed_at),
    by: row.closed_by,
    lineCount: row.line_count,
    opening,
    total,
    balance,
    paid: row.paid === null ? null : fromStoredPaid(JSON.parse(row.paid) as StoredPaid),
    revision,
  };
}

function fromStoredPaid({ at, method, reference }: StoredPaid): Paid {
  return { at: new Date(at), method, reference };
}

export function toClosedRow({ statement, lines }: ClosedStatement): ClosedRow {
  const stored: readonly StoredLine[] = lines.map(({ sale, from, to }) => [sale, from, to]);
  return { ...toStatementRow(statement), lines: JSON.stringify(stored) };
}

export function fromClosedRow(row: ClosedRow): ClosedStatement {
  return { statement: fromStatementRow(row), lines: fromStoredLines(row.lines) };
}

export function fromStoredLines(json: string): readonly StatementLine[] {
  return (JSON.parse(json) as readonly StoredLine[]).map(([sale, from, to]) => ({ sale, from, to }));
}
