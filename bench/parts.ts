import { administrationName, measureAdministration } from './comparisons/administration.ts';
import { commandsName, measureCommands } from './comparisons/commands.ts';
import { eventsName, measureEvents } from './comparisons/events.ts';
import { measureMemory, memoryName } from './comparisons/memory.ts';
import { comparePages, pagesName } from './comparisons/pages.ts';
import type { Effort } from './comparisons/rounds.ts';
import { measureSizes, sizesName } from './comparisons/sizes.ts';
import { measureSlowClients, slowClientsName } from './comparisons/slow-clients.ts';
import { measureWorkers, workersName } from './comparisons/workers.ts';
import { latencyName, measureLatency } from './open-loop/latency.ts';
import { measureSoak, soakName } from './open-loop/soak.ts';
import { administrationTable } from './report/administration-table.ts';
import { commandsTable } from './report/commands-table.ts';
import { eventsTables } from './report/events-table.ts';
import { latencyTable } from './report/latency-table.ts';
import { memoryTable } from './report/memory-table.ts';
import { pagesTable, slowClientsTable, type Results } from './report/report.ts';
import { sizesTables } from './report/sizes-table.ts';
import { soakTable } from './report/soak-table.ts';
import { workersTable } from './report/workers-table.ts';

/** What the command line says of a run. */
export interface Options {
  /** For the files of the run. */
  readonly folder: string;
  readonly effort: Effort;
  readonly licenses: number;
  readonly soakSeconds: number;
}

/** A part of the benchmarks that is kept whole. */
export interface Part {
  /** How `--only` names it. */
  readonly name: string;
  /** Whether it runs only when it is named. */
  readonly isLong: boolean;
  /** Measures, and prints the table. */
  readonly run: (options: Options) => Promise<Results>;
}

const costs = 'microseconds of CPU for one request, median (min–max)';

/** The parts, in the order in which they run. */
export const parts: readonly Part[] = [
  part('commands', commandsName, 'CPU and time of each, median (min–max)', commandsTable, ({ folder, effort }) =>
    measureCommands(folder, effort),
  ),
  part('pages', pagesName, costs, pagesTable, ({ folder, effort }) => comparePages(folder, effort)),
  part('slowClients', slowClientsName, 'milliseconds until the answer', slowClientsTable, ({ folder, effort }) =>
    measureSlowClients(folder, { ...effort, connections: 1 }),
  ),
  part('administration', administrationName, costs, administrationTable, ({ folder, effort, licenses }) =>
    measureAdministration(folder, licenses, effort),
  ),
  part('events', eventsName, costs, eventsTables, ({ folder, effort }) => measureEvents(folder, effort)),
  part('memory', memoryName, 'median (min–max)', memoryTable, ({ folder, effort }) => measureMemory(folder, effort)),
  part('workers', workersName, costs, workersTable, ({ folder, effort }) => measureWorkers(folder, effort)),
  part('latency', latencyName, 'milliseconds since a request was due', latencyTable, ({ folder, effort }) =>
    measureLatency(folder, effort),
  ),
  {
    ...part('sizes', sizesName, costs, sizesTables, ({ folder, effort }) => measureSizes(folder, effort)),
    isLong: true,
  },
  {
    ...part('soak', soakName, 'mixed traffic', soakTable, ({ folder, effort, soakSeconds }) =>
      measureSoak(folder, effort, soakSeconds),
    ),
    isLong: true,
  },
];

function part<Key extends keyof Results>(
  key: Key,
  name: string,
  heading: string,
  table: (results: NonNullable<Results[Key]>) => string,
  measure: (options: Options) => Promise<NonNullable<Results[Key]>>,
): Part {
  const run = async (options: Options): Promise<Results> => {
    const results = await measure(options);
    console.log(`${name}: ${heading}\n${table(results)}\n`);
    return { [key]: results };
  };
  return { name, isLong: false, run };
}
