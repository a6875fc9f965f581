import { shownText } from './shown-text.ts';

const gap = '  ';

/** The minimum width to which a column is cut. */
const minWidth = 12;

type WidthOf = (text: string) => number;

/**
 * Items as one aligned line each or, on a terminal too narrow for that, as a block each. Flexible members are cut to avoid
 * blocks.
 */
export async function table<Item extends object>(
  items: readonly Item[],
  members: readonly (keyof Item & string)[],
  width: number,
  flexible: readonly (keyof Item & string)[] = [],
): Promise<string> {
  if (items.length === 0) return 'None.\n';
  const rows = [members.map(label), ...items.map((item) => members.map((member) => cell(item[member])))];
  const widthOf = await widthOfTextsIn(rows);
  const widths = fitted(members, maxWidths(rows, widthOf), flexible, width);
  if (lineWidth(widths) > width) return items.map((item) => details(item, members)).join('\n');
  const lineOf = (row: readonly string[]): string =>
    row.map((text, column) => padded(cut(text, widths[column] ?? 0, widthOf), widths[column] ?? 0, widthOf)).join(gap);
  return rows.map((row) => `${lineOf(row).trimEnd()}\n`).join('');
}

/** An item's members, one a line. */
export function details<Item extends object>(item: Item, members: readonly (keyof Item & string)[]): string {
  const labels = members.map(label);
  const width = Math.max(...labels.map((each) => each.length));
  return members.map((member, line) => `${(labels[line] ?? '').padEnd(width)}${gap}${cell(item[member])}\n`).join('');
}

/** Returns `currentPeriodEnd` as "Current period end". */
function label(member: string): string {
  const words = member.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return shownText(text).replaceAll('\n', '\u{FFFD}');
}

/** Measures texts in columns of a terminal. The package for that is loaded only for texts beyond ASCII. */
async function widthOfTextsIn(rows: readonly (readonly string[])[]): Promise<WidthOf> {
  if (rows.every((row) => row.every((text) => /^[\x20-\x7e]*$/.test(text)))) return (text) => text.length;
  return (await import('string-width')).default;
}

function maxWidths(rows: readonly (readonly string[])[], widthOf: WidthOf): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, text] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(text));
  }
  return widths;
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1));
}

/** The widths, those of flexible members reduced evenly to at least `minWidth` if a line would be too long. */
function fitted(
  members: readonly string[],
  widths: readonly number[],
  flexible: readonly string[],
  width: number,
): readonly number[] {
  if (lineWidth(widths) <= width || flexible.length === 0) return widths;
  const isFlexible = (column: number): boolean => flexible.includes(members[column] ?? '');
  const fixed = lineWidth(widths.map((each, column) => (isFlexible(column) ? 0 : each)));
  const share = Math.max(Math.floor((width - fixed) / flexible.length), minWidth);
  return widths.map((each, column) => (isFlexible(column) ? Math.min(each, share) : each));
}

/** Cuts a text to a width, with an ellipsis at its end. */
function cut(text: string, width: number, widthOf: WidthOf): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (widthOf(kept + segment) >= width) break;
    kept += segment;
  }
  return `${kept}…`;
}

function padded(text: string, width: number, widthOf: WidthOf): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
