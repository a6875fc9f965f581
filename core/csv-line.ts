export type Cell = string | number | boolean | Date | null;

/**
 * Matches a cell that a spreadsheet reads as a formula, behind any number of apostrophes. Apostrophes mark a cell as
 * text.
 */
const formula = /^'*(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/;

/** One line of CSV (RFC 4180). A cell that a spreadsheet would read as a formula gets an apostrophe. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(sourceOf).join(',')}\r\n`;
}

function sourceOf(cell: Cell): string {
  const text = (cell instanceof Date ? cell.toISOString() : (cell ?? '').toString()).replace(formula, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text of a cell, without the apostrophe that `csvLine` may have added. */
export function withoutApostrophe(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}
