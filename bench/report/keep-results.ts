import { readFile, writeFile } from 'node:fs/promises';
import { withBlocks } from '../../docs/generate/marked-block.ts';
import { administrationTable } from './administration-table.ts';
import { commandsTable } from './commands-table.ts';
import { eventsTables } from './events-table.ts';
import { latencyTable } from './latency-table.ts';
import { memoryTable } from './memory-table.ts';
import { mongoTable, pagesTable, slowClientsTable, sqliteTable, type Results, type Run } from './report.ts';
import { sizesTables } from './sizes-table.ts';
import { soakTable } from './soak-table.ts';
import { workersTable } from './workers-table.ts';

const readme = 'bench/README.md';
const file = 'bench/results.json';

/** What people who cannot see the charts hear; the table below each has its figures. */
const alternatives = {
  sqlite: 'Bars: CPU per request of Latchkey, a bare server and Express on SQLite, by operation',
  mongodb: 'Bars: CPU per request of Latchkey and two peers on MongoDB, by operation',
  sizes: 'Lines: CPU per request over the number of listings and of licenses',
  latency: 'Lines: latency over the rate of requests, up to saturation',
  soak: 'Lines: memory, latency and errors over the minutes of a soak',
} as const;

/** Writes what a run has measured to the results file, and its tables into the README. Other parts of both stay. */
export async function keepResults(run: Run, results: Results): Promise<void> {
  const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
  const measured = Object.entries(results).map(([part, figures]) => [part, { ...run, ...figures }]);
  await writeFile(file, `${JSON.stringify({ ...Object(kept), ...Object.fromEntries(measured) }, null, 2)}\n`);
  await writeFile(readme, withBlocks(await readFile(readme, 'utf8'), tablesOf(run, results)));
}

/** A chart in the colors that the reader prefers. */
function pictureOf(chart: keyof typeof alternatives): string {
  const dark = `<source media="(prefers-color-scheme: dark)" srcset="images/${chart}-dark.svg">`;
  return `<picture>${dark}<img src="images/${chart}-light.svg" width="800" alt="${alternatives[chart]}"></picture>`;
}

/** The tables with their captions, by the name of their markers. */
function tablesOf({ date, machine, effort }: Run, results: Results) {
  const { sqlite, pages, mongo, slowClients, commands, administration, events, memory, workers, sizes, latency, soak } =
    results;
  const day = `${date.slice(0, 10)}, ${machine}`;
  const rounds = `${day}; ${effort.rounds} rounds`;
  const timed = `${rounds} of ${effort.seconds} s`;
  const load = `${timed}, ${effort.connections} connections`;
  return {
    ...(sqlite && { SQLite: `${pictureOf('sqlite')}\n\n${load}.\n\n${sqliteTable(sqlite)}` }),
    ...(pages && { pages: `${load}.\n\n${pagesTable(pages)}` }),
    ...(mongo && { MongoDB: `${pictureOf('mongodb')}\n\n${load}.\n\n${mongoTable(mongo)}` }),
    ...(slowClients && { 'slow clients': `${timed}.\n\n${slowClientsTable(slowClients)}` }),
    ...(commands && { commands: `${rounds}.\n\n${commandsTable(commands)}` }),
    ...(events && { events: `${load}.\n\n${eventsTables(events)}` }),
    ...(memory && { memory: `${rounds}.\n\n${memoryTable(memory)}` }),
    ...(workers && { workers: `${load}.\n\n${workersTable(workers)}` }),
    ...(sizes && { sizes: `${pictureOf('sizes')}\n\n${load}.\n\n${sizesTables(sizes)}` }),
    ...(latency && { latency: `${pictureOf('latency')}\n\n${day}.\n\n${latencyTable(latency)}` }),
    ...(soak && { soak: `${pictureOf('soak')}\n\n${day}; ${soak.seconds} s on each store.\n\n${soakTable(soak)}` }),
    ...(administration && { administration: `${load}.\n\n${administrationTable(administration)}` }),
  };
}
