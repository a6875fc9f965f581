import { csvLine } from '../../csv-line.ts';
import type { Statement } from '../statement/statement.ts';
import type { ShownLine } from './manage-statements.ts';

const columns = 'sale attributed_at slug by percent from to amount currency'.split(' ');

/** Makes the lines of a statement CSV, below the names of the columns. Amounts are in minor units. */
export async function* statementCsv(
  statement: Pick<Statement, 'currency'>,
  lines: AsyncIterable<ShownLine>,
): AsyncGenerator<string, void, undefined> {
  yield csvLine(columns);
  for await (const line of lines) yield csvOf(line, statement);
}

function csvOf({ sale, from, to, amount, of }: ShownLine, { currency }: Pick<Statement, 'currency'>): string {
  const facts =
    of === null ? [null, null, null, null] : [of.attributedAt, of.slug, of.by, of.terms.commissionPercent / 100];
  return csvLine([sale, ...facts, from, to, amount, currency]);
}
