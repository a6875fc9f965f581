export type Cell = string | number | boolean | Date | null;

const skipped = String.raw`[\v\f\p{Zs}\p{Cf}"']*`;

/**
 * Matches where a cell begins that a spreadsheet reads as a formula. Many split at semicolons, tabs or bars too, so that
 * a cell can begin inside of another. Characters that some of them skip may precede the formula. An apostrophe is one of
 * these, because it marks a cell as text.
 */
const formula = new RegExp(
  String.raw`(?<=^|[;\t|\r\n])(?=${skipped}[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])|^(?=${skipped}[\t\r\n])`,
  'gu',
);

/** Matches the apostrophes that `csvLine` adds. */
const added = new RegExp(formula.source.replaceAll('(?=', "'(?="), 'gu');

/** One line of CSV (RFC 4180). A text that a spreadsheet would read as a formula gets an apostrophe. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(sourceOf).join(',')}\r\n`;
}

function sourceOf(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = (cell instanceof Date ? cell.toISOString() : (cell ?? '').toString()).replaceAll(formula, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text of a cell, without the apostrophes that `csvLine` may have added. */
export function withoutApostrophe(text: string): string {
  return text.replaceAll(added, '');
}
