import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { administrationName, measureAdministration, type AdministrationResults } from './comparisons/administration.ts';
import { administrationTable } from './report/administration-table.ts';
import { eventsTables } from './report/events-table.ts';
import { keepResults } from './report/keep-results.ts';
import { compareOnMongo } from './comparisons/mongo-comparison.ts';
import { commandsTable } from './report/commands-table.ts';
import {
  mongoTable,
  pagesTable,
  shareOfCeiling,
  slowClientsTable,
  sqliteTable,
  type Results,
} from './report/report.ts';
import { comparePages, pagesName, type PagesResults } from './comparisons/pages.ts';
import type { Effort } from './comparisons/rounds.ts';
import { eventsName, measureEvents, type EventsResults } from './comparisons/events.ts';
import { measureSlowClients, slowClientsName, type SlowClientsResults } from './comparisons/slow-clients.ts';
import { compareOnSqlite, type SqliteResults } from './comparisons/sqlite-comparison.ts';
import { measureMemory, memoryName, type MemoryResults } from './comparisons/memory.ts';
import { memoryTable } from './report/memory-table.ts';
import { measureWorkers, workersName, type WorkersResults } from './comparisons/workers.ts';
import { workersTable } from './report/workers-table.ts';
import { latencyName, measureLatency, type LatencyResults } from './open-loop/latency.ts';
import { measureSizes, sizesName, type SizesResults } from './comparisons/sizes.ts';
import { measureSoak, soakName, type SoakResults } from './open-loop/soak.ts';
import { drawCharts } from './charts/draw.ts';
import { latencyTable } from './report/latency-table.ts';
import { sizesTable } from './report/sizes-table.ts';
import { soakTable } from './report/soak-table.ts';
import { measureCommands, commandsName, type CommandsResults } from './comparisons/commands.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    store: { type: 'string', default: '' },
    licenses: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '600' },
    draw: { type: 'boolean', default: false },
  },
});
process.setMaxListeners(100); // one for each process that is measured

const { quick, only } = values;
const licenses = Number(values.licenses);

const effort: Effort = quick
  ? { rounds: 3, seconds: 0.3, warmUpSeconds: 0.4, connections: 32 }
  : { rounds: 7, seconds: 1.2, warmUpSeconds: 2, connections: 32 };
const alone: Effort = quick
  ? { rounds: 3, seconds: 0.3, warmUpSeconds: 0.4, connections: 1 }
  : { rounds: 7, seconds: 1.2, warmUpSeconds: 10, connections: 1 };

/** Parts are kept whole: `--only` may name one of these, or nothing. */
const parts = [
  pagesName,
  slowClientsName,
  commandsName,
  administrationName,
  eventsName,
  memoryName,
  workersName,
  sizesName,
  latencyName,
  soakName,
];
const isPart = parts.includes(only);

if (values.draw) {
  await drawCharts();
  process.exit();
}

const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
try {
  const results: Results = {
    ...(values.store === '' && commandsName.includes(only) && { commands: await ofCommands() }),
    ...(values.store === '' && pagesName.includes(only) && { pages: await ofPages() }),
    ...(values.store === '' && slowClientsName.includes(only) && { slowClients: await besideSlowClients() }),
    ...(values.store === '' && administrationName.includes(only) && { administration: await ofAdministration() }),
    ...(values.store === '' && eventsName.includes(only) && { events: await ofEvents() }),
    ...(values.store === '' && memoryName.includes(only) && { memory: await ofMemory() }),
    ...(values.store === '' && workersName.includes(only) && { workers: await ofWorkers() }),
    ...(values.store === '' && sizesName.includes(only) && { sizes: await ofSizes() }),
    ...(values.store === '' && latencyName.includes(only) && { latency: await ofLatency() }),
    ...(only === soakName && { soak: await ofSoak() }),
    ...(!isPart && values.store !== 'mongo' && { sqlite: await onSqlite() }),
    ...(!isPart && values.store !== 'sqlite' && (await onMongo())),
  };
  const machine = `${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  const isWhole = !quick && (only === '' || isPart) && values.licenses === '100000';
  if (isWhole) {
    await keepResults({ date: new Date().toISOString(), machine, effort }, results);
    await drawCharts();
  }
} finally {
  await rm(folder, { recursive: true });
}

async function ofCommands(): Promise<CommandsResults> {
  const results = await measureCommands(folder, effort);
  console.log(`the cost of commands, median (min–max) of ${effort.rounds} rounds`);
  console.log(`${commandsTable(results)}\n`);
  return results;
}

async function ofPages(): Promise<PagesResults> {
  const results = await comparePages(folder, effort);
  console.log(`pages: microseconds of CPU for one request, median (min–max) of ${effort.rounds} rounds`);
  console.log(`${pagesTable(results)}\n`);
  return results;
}

async function besideSlowClients(): Promise<SlowClientsResults> {
  const results = await measureSlowClients(folder, { ...effort, connections: 1 });
  console.log(`milliseconds until the answer, median (min–max) of ${effort.rounds} rounds`);
  console.log(`${slowClientsTable(results)}\n`);
  return results;
}

async function ofAdministration(): Promise<AdministrationResults> {
  const results = await measureAdministration(folder, licenses, effort);
  console.log(`administration: microseconds of CPU for one request, median (min–max) of ${effort.rounds} rounds`);
  console.log(`${administrationTable(results)}\n`);
  return results;
}

async function ofEvents(): Promise<EventsResults> {
  const results = await measureEvents(folder, effort);
  console.log('events: microseconds of CPU for one request, median (min–max)');
  console.log(`${eventsTables(results)}\n`);
  return results;
}

async function ofMemory(): Promise<MemoryResults> {
  const results = await measureMemory(folder, effort);
  console.log(`memory, median (min–max) of ${effort.rounds} rounds`);
  console.log(`${memoryTable(results)}\n`);
  return results;
}

async function ofWorkers(): Promise<WorkersResults> {
  const results = await measureWorkers(folder, effort);
  console.log('workers: microseconds of CPU for one verification, median (min–max)');
  console.log(`${workersTable(results)}\n`);
  return results;
}

async function ofSizes(): Promise<SizesResults> {
  const results = await measureSizes(folder, effort);
  console.log(`sizes: microseconds of CPU for one request, median (min–max) of ${effort.rounds} rounds`);
  console.log(`${sizesTable(results)}\n`);
  return results;
}

async function ofLatency(): Promise<LatencyResults> {
  const results = await measureLatency(folder, effort);
  console.log('latency: milliseconds from the time a request was due');
  console.log(`${latencyTable(results)}\n`);
  return results;
}

async function ofSoak(): Promise<SoakResults> {
  const results = await measureSoak(folder, effort, Number(values.seconds));
  console.log(`mixed traffic for ${results.seconds} s on each store`);
  console.log(`${soakTable(results)}\n`);
  return results;
}

async function onSqlite(): Promise<SqliteResults> {
  const results = await compareOnSqlite(folder, licenses, effort, only, (comparison) => {
    console.log(`${comparison.operation}: ${shareOfCeiling(comparison).toFixed(2)} of the ceiling`);
  });
  console.log(`\nSQLite: microseconds of CPU for one request, median (min–max) of ${effort.rounds} rounds`);
  console.log(sqliteTable(results));
  console.log();
  return results;
}

async function onMongo(): Promise<Pick<Results, 'mongo'>> {
  const results = await compareOnMongo(folder, licenses, { together: effort, alone }, only);
  if (results === null) {
    console.log('MongoDB is left out: there is no mongod on the PATH.');
    return {};
  }
  console.log(`MongoDB: microseconds of CPU for one request, median (min–max) of ${effort.rounds} rounds`);
  console.log(mongoTable(results));
  return { mongo: results };
}
