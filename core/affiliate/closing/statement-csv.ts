import { csvLine, type Cell } from '../../csv-line.ts';
import type { Statement } from '../statement/statement.ts';
import type { ShownLine } from './manage-statements.ts';

const columns = 'sale attributed_at slug by percent from to amount currency'.split(' ');

/** Makes the lines of a statement CSV, below the names of the columns. Amounts are in minor units. */
export async function* statementCsv(
  statement: Pick<Statement, 'currency'>,
  lines: AsyncIterable<ShownLine>,
): AsyncGenerator<string, void, undefined> {
  yield csvLine(columns);
  for await (const line of lines) {
    const row = rowOf(line, statement);
    yield csvLine(columns.map((column) => row[column] ?? null));
  }
}

/** Makes the lines of a statement NDJSON, with the columns of its CSV. */
export async function* statementJson(
  statement: Pick<Statement, 'currency'>,
  lines: AsyncIterable<ShownLine>,
): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) yield `${JSON.stringify(rowOf(line, statement))}\n`;
}

function rowOf(
  { sale, from, to, amount, of }: ShownLine,
  { currency }: Pick<Statement, 'currency'>,
): Readonly<Record<string, Cell>> {
  const percent = of === null ? null : of.terms.commissionPercent / 100;
  const { attributedAt = null, slug = null, by = null } = of ?? {};
  return { sale, attributed_at: attributedAt, slug, by, percent, from, to, amount, currency };
}
