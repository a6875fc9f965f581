import { csvLine } from '../../csv-line.ts';
import type { Statement } from '../statement/statement.ts';
import type { ShownLine } from './manage-statements.ts';

const columns = 'sale attributed_at slug by percent from to amount currency'.split(' ');

/** The first line of a statement as CSV. */
export const statementCsvHead = csvLine(columns);

/** A line of a statement as CSV. Amounts are in minor units. */
export function statementCsvLine(
  { sale, from, to, amount, of }: ShownLine,
  { currency }: Pick<Statement, 'currency'>,
): string {
  const facts =
    of === null ? [null, null, null, null] : [of.attributedAt, of.slug, of.by, of.terms.commissionPercent / 100];
  return csvLine([sale, ...facts, from, to, amount, currency]);
}
