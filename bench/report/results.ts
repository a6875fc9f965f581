import { readFile, writeFile } from 'node:fs/promises';
import { withBlocks } from '../../docs/generate/marked-block.ts';
import { fileOf } from '../../docs/generate/repository.ts';
import type { Chart } from '../charts/chart.ts';
import { drawCharts } from '../charts/draw.ts';
import type { Effort } from '../measure/rounds.ts';
import { rounds, type Part } from './part.ts';

/** When, where and with which effort something was measured. */
interface Run {
  readonly date: string;
  readonly machine: string;
  readonly effort: Effort;
}

/** The figures by part. Each part has the run in which it was measured. */
export type Results = Readonly<Record<string, Run & object>>;

const file = fileOf('bench/results.json');
const readme = fileOf('bench/README.md');

export async function readResults(): Promise<Results> {
  return JSON.parse(await readFile(file, 'utf8')) as Results;
}

/** Writes what a run has measured to the results file. Other parts stay. */
export async function keepResults(run: Run, measured: Readonly<Record<string, object>>): Promise<void> {
  const own = Object.entries(measured).map(([part, figures]) => [part, { ...run, ...figures }]);
  await writeFile(file, `${JSON.stringify({ ...(await readResults()), ...Object.fromEntries(own) }, null, 2)}\n`);
}

/** Writes the tables and draws the charts of the results file. */
export async function showResults(parts: readonly Part[]): Promise<void> {
  const results = await readResults();
  await writeFile(readme, withBlocks(await readFile(readme, 'utf8'), blocksOf(parts, results)));
  await drawCharts(parts.flatMap((part) => chartOf(part, results) ?? []));
}

/** The block of the README for each part that has figures: its chart, its caption and its tables. */
export function blocksOf(parts: readonly Part[], results: Results): Readonly<Record<string, string>> {
  const blocks = parts.flatMap((part) => {
    const figures = results[part.name];
    if (figures === undefined) return [];
    const chart = chartOf(part, results);
    const { date, machine, effort } = figures;
    const length = part.length?.(effort, figures) ?? rounds(effort);
    const caption = `${date.slice(0, 10)}, ${machine}${length}.`;
    return [[part.name, [...(chart ? [pictureOf(chart)] : []), caption, shortened(part.table(figures))].join('\n\n')]];
  });
  return Object.fromEntries(blocks);
}

function chartOf(part: Part, results: Results): Chart | undefined {
  const figures = results[part.name];
  return figures && part.chart?.(figures);
}

/** A chart in the colors that the reader prefers. */
function pictureOf({ name, alternative }: Chart): string {
  const dark = `<source media="(prefers-color-scheme: dark)" srcset="images/${name}-dark.svg">`;
  return `<picture>${dark}<img src="images/${name}-light.svg" width="800" alt="${alternative}"></picture>`;
}

/** A table that does not fit on a screen stays in the results file: its chart has the same figures. */
function shortened(table: string): string {
  return table.split('\n').length < 30 ? table : 'The figures are in [results.json](results.json).';
}
