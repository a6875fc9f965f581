import { stateOf, type Statement } from '../../../../core/affiliate/statement/statement.ts';

/** A statement as it is shown, without its lines. Amounts are in minor units. */
export function statementView(statement: Statement) {
  const { id, productId, handle, currency, number, month, closedAt, by, lineCount, opening, total, balance, paid } =
    statement;
  return {
    id,
    productId,
    handle,
    currency,
    number,
    month,
    state: stateOf(statement),
    closedAt: closedAt.toISOString(),
    by,
    lineCount,
    opening,
    total,
    balance,
    paid: paid && { at: paid.at.toISOString(), method: paid.method, reference: paid.reference },
  };
}
