import { readFile, writeFile } from 'node:fs/promises';
import { withBlocks } from '../../docs/generate/marked-block.ts';
import { administrationTable } from './administration-table.ts';
import { commandsTable } from './commands-table.ts';
import { eventsTables } from './events-table.ts';
import { workersTable } from './workers-table.ts';
import { mongoTable, pagesTable, slowClientsTable, sqliteTable, type Results, type Run } from './report.ts';

const readme = 'bench/README.md';
const file = 'bench/results.json';

/** Writes what a run has measured to the results file, and its tables into the README. Other parts of both stay. */
export async function keepResults(run: Run, results: Results): Promise<void> {
  const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
  const measured = Object.entries(results).map(([part, figures]) => [part, { ...run, ...figures }]);
  await writeFile(file, `${JSON.stringify({ ...Object(kept), ...Object.fromEntries(measured) }, null, 2)}\n`);
  await writeFile(readme, withBlocks(await readFile(readme, 'utf8'), tablesOf(run, results)));
}

/** The tables with their captions, by the name of their markers. */
function tablesOf({ date, machine, effort }: Run, results: Results) {
  const { sqlite, pages, mongo, slowClients, commands, administration, events, workers } = results;
  const rounds = `${date.slice(0, 10)}, ${machine}; ${effort.rounds} rounds`;
  const timed = `${rounds} of ${effort.seconds} s`;
  const load = `${timed}, ${effort.connections} connections`;
  return {
    ...(sqlite && { SQLite: `${load}.\n\n${sqliteTable(sqlite)}` }),
    ...(pages && { pages: `${load}.\n\n${pagesTable(pages)}` }),
    ...(mongo && { MongoDB: `${load}.\n\n${mongoTable(mongo)}` }),
    ...(slowClients && { 'slow clients': `${timed}.\n\n${slowClientsTable(slowClients)}` }),
    ...(commands && { commands: `${rounds}.\n\n${commandsTable(commands)}` }),
    ...(events && { events: `${load}.\n\n${eventsTables(events)}` }),
    ...(workers && { workers: `${load}.\n\n${workersTable(workers)}` }),
    ...(administration && { administration: `${load}.\n\n${administrationTable(administration)}` }),
  };
}
