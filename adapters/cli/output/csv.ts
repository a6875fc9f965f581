import { stringify } from 'csv-stringify/sync';

export type Cell = string | number | boolean | Date | null;

/** What a spreadsheet takes for the beginning of a formula, with the apostrophe that says that it is text. */
const defused = /^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/;

/** One line of CSV (RFC 4180). A cell that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvLine(cells: readonly Cell[]): string {
  const texts = cells.map((cell) => (cell instanceof Date ? cell.toISOString() : (cell ?? '').toString()));
  return stringify([texts], { escape_formulas: true, record_delimiter: 'windows' });
}

/** The text of a cell that `csvLine` has written. */
export function withFormulas(cell: string): string {
  return cell.replace(defused, '');
}
