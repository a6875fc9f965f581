import { ceilingNames, shareOfCeiling } from '../measure/ceiling.ts';
import { medianOf, roundsOf, spreadOf, type Comparison, type Round } from '../measure/figures.ts';

/** A column of a table: its heading, and its cell in the row of an item. */
export type Column<Item> = readonly [heading: string, cell: (item: Item) => string];

/** Renders a table of Markdown with a row for each item. */
export function table<Item>(items: readonly Item[], columns: readonly Column<Item>[]): string {
  const rows = items.map((item) => columns.map(([, cell]) => cell(item)));
  const lines = [columns.map(([heading]) => heading), columns.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Renders the median of figures, and in parentheses their minimum and maximum. */
export function spread(figures: readonly number[], unit = '', digits = 0): string {
  const { median, min, max } = spreadOf(figures);
  return `${median.toFixed(digits)}${unit} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

/** Renders the CPU of one request, in microseconds. */
export function cpu(rounds: readonly Round[]): string {
  return spread(rounds.map((round) => round.cpu));
}

/** Renders answers a second. */
export function rate(rounds: readonly Round[]): string {
  return medianOf(rounds, 'requestsPerSecond').toFixed(0);
}

/** Renders milliseconds. */
export function ms(milliseconds: number, digits = 1): string {
  return `${milliseconds.toFixed(digits)} ms`;
}

/** The CPU of the contender with this name. */
export function cpuColumn(name: string, heading = name): Column<Comparison> {
  return [heading, ({ contenders }) => cpu(roundsOf(contenders, name))];
}

/** The columns of the ceiling, of Latchkey, and of its share with the aim. */
export function ceilingColumns(aims: Readonly<Record<string, number>>): readonly Column<Comparison>[] {
  return [
    cpuColumn(ceilingNames.ceiling),
    cpuColumn(ceilingNames.again),
    cpuColumn(ceilingNames.latchkey),
    ['share of the ceiling', shareOfCeiling],
    ['aim', ({ operation }) => aims[operation]?.toFixed(2) ?? ''],
  ];
}
