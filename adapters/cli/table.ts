import stringWidth from 'string-width';

const gap = '  ';

/** Items as one aligned line each or, where the terminal is too narrow for that, as a block each. */
export function table<Item extends object>(
  items: readonly Item[],
  members: readonly (keyof Item & string)[],
  width: number,
): string {
  if (items.length === 0) return 'None.\n';
  const rows = [members.map(label), ...items.map((item) => members.map((member) => cell(item[member])))];
  const widths = members.map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))));
  const whole = widths.reduce((sum, each) => sum + each, gap.length * (members.length - 1));
  if (whole > width) return items.map((item) => details(item, members)).join('\n');
  return rows
    .map(
      (row) =>
        `${row
          .map((text, column) => padded(text, widths[column] ?? 0))
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

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}
