import type { Measured, Round } from '../comparisons/rounds.ts';
import { spreadOf } from '../comparisons/spread.ts';

/** Renders a table of Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
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

/** The rounds of the contender with this name. */
export function roundsOf(contenders: readonly Measured[], name: string): readonly Round[] {
  return contenders.find((contender) => contender.name === name)?.rounds ?? [];
}
