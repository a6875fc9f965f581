import { readFile, writeFile } from 'node:fs/promises';
import { names, type SqliteComparison, type SqliteResults } from './sqlite-comparison.ts';
import { spreadOf } from './spread.ts';
import type { Measured, Round } from './rounds.ts';

/** Everything that one run found, as it goes into the results file. */
export interface Results {
  readonly date: string;
  readonly machine: string;
  readonly effort: { readonly rounds: number; readonly seconds: number; readonly connections: number };
  readonly sqlite: SqliteResults;
}

/** The table of the comparison on SQLite. */
export function sqliteTable({ comparisons }: Pick<SqliteResults, 'comparisons'>): string {
  return table(
    ['operation', 'ceiling', 'ceiling again', 'Latchkey', 'share of the ceiling', 'aim', 'answers/s', 'p99', 'Express'],
    comparisons.map((comparison) => {
      const latchkey = roundsOf(comparison, names.latchkey);
      return [
        comparison.operation,
        cpu(roundsOf(comparison, names.ceiling)),
        cpu(roundsOf(comparison, names.ceilingAgain)),
        cpu(latchkey),
        shareOfCeiling(comparison).toFixed(2),
        comparison.target?.toFixed(2) ?? '',
        medianOf(latchkey, 'requestsPerSecond').toFixed(0),
        `${medianOf(latchkey, 'p99').toFixed(1)} ms`,
        cpu(roundsOf(comparison, names.express)),
      ];
    }),
  );
}

/** The ceiling's CPU per request, both times it was measured, divided by Latchkey's. */
export function shareOfCeiling(comparison: SqliteComparison): number {
  const ceiling = [...roundsOf(comparison, names.ceiling), ...roundsOf(comparison, names.ceilingAgain)];
  return medianOf(ceiling, 'cpu') / medianOf(roundsOf(comparison, names.latchkey), 'cpu');
}

/** Replaces what stands between the markers of a name in a Markdown file. */
export async function writeBetweenMarkers(file: string, name: string, text: string): Promise<void> {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const content = await readFile(file, 'utf8');
  const [start, stop] = [content.indexOf(begin), content.indexOf(end)];
  if (start === -1 || stop < start) throw new Error(`${file} has no markers for ${name}`);
  await writeFile(file, `${content.slice(0, start + begin.length)}\n${text}\n${content.slice(stop)}`);
}

function roundsOf({ contenders }: { readonly contenders: readonly Measured[] }, name: string): readonly Round[] {
  return contenders.find((contender) => contender.name === name)?.rounds ?? [];
}

function medianOf(rounds: readonly Round[], figure: keyof Round): number {
  return spreadOf(rounds.map((round) => round[figure])).median;
}

/** Microseconds for one request: the median, and the least and the greatest round. */
function cpu(rounds: readonly Round[]): string {
  const { median, least, greatest } = spreadOf(rounds.map((round) => round.cpu));
  return `${median.toFixed(0)} (${least.toFixed(0)}–${greatest.toFixed(0)})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
