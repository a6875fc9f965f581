import stringWidth from 'string-width';

const gap = '  ';

/** No column is cut to less. */
const least = 12;

const graphemes = new Intl.Segmenter();

/**
 * Items as one aligned line each or, where the terminal is too narrow for that, as a block each. The flexible members
 * are cut before it comes to that.
 */
export function table<Item extends object>(
  items: readonly Item[],
  members: readonly (keyof Item & string)[],
  width: number,
  flexible: readonly (keyof Item & string)[] = [],
): string {
  if (items.length === 0) return 'None.\n';
  const rows = [members.map(label), ...items.map((item) => members.map((member) => cell(item[member])))];
  const widths = fitted(members, widthsOf(rows), flexible, width);
  const whole = widths.reduce((sum, each) => sum + each, gap.length * (members.length - 1));
  if (whole > width) return items.map((item) => details(item, members)).join('\n');
  return rows
    .map(
      (row) =>
        `${row
          .map((text, column) => padded(cut(text, widths[column] ?? 0), widths[column] ?? 0))
          .join(gap)
          .trimEnd()}\n`,
    )
    .join('');
}

/** An item's members, one a line. */
export function details<Item extends object>(item: Item, members: readonly (keyof Item & string)[]): string {
  const labels = members.map(label);
  const width = Math.max(...labels.map((each) => each.length));
  return members.map((member, line) => `${(labels[line] ?? '').padEnd(width)}${gap}${cell(item[member])}\n`).join('');
}

/** `currentPeriodEnd` as "Current period end". */
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
  return text.replaceAll(/\p{Cc}/gu, '\u{FFFD}');
}

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, text] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, stringWidth(text));
  }
  return widths;
}

/** The widths, those of the flexible members reduced evenly where the line would be too long, but never under `least`. */
function fitted(
  members: readonly string[],
  widths: readonly number[],
  flexible: readonly string[],
  width: number,
): readonly number[] {
  const whole = widths.reduce((sum, each) => sum + each, gap.length * (members.length - 1));
  const rest = widths
    .filter((_, column) => !flexible.includes(members[column] ?? ''))
    .reduce((sum, each) => sum + each, 0);
  if (whole <= width || flexible.length === 0) return widths;
  const share = Math.floor((width - rest - gap.length * (members.length - 1)) / flexible.length);
  return widths.map((each, column) =>
    flexible.includes(members[column] ?? '') ? Math.min(each, Math.max(share, least)) : each,
  );
}

/** The text within a width, with an ellipsis in the place of what does not fit. */
function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(kept + segment) >= width) break;
    kept += segment;
  }
  return `${kept}…`;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}
