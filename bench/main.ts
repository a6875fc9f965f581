import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { drawCharts } from './charts/draw.ts';
import { compareOnMongo } from './comparisons/mongo-comparison.ts';
import type { Effort } from './comparisons/rounds.ts';
import { compareOnSqlite } from './comparisons/sqlite-comparison.ts';
import { parts, type Options } from './parts.ts';
import { keepResults } from './report/keep-results.ts';
import { mongoTable, shareOfCeiling, sqliteTable, type Results } from './report/report.ts';

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

const { quick, only, store } = values;

const effort: Effort = quick
  ? { rounds: 3, seconds: 0.3, warmUpSeconds: 0.4, connections: 32 }
  : { rounds: 7, seconds: 1.2, warmUpSeconds: 2, connections: 32 };
const alone: Effort = quick
  ? { rounds: 3, seconds: 0.3, warmUpSeconds: 0.4, connections: 1 }
  : { rounds: 7, seconds: 1.2, warmUpSeconds: 10, connections: 1 };

/** The parts that were asked for. A name of anything else chooses operations of the two comparisons. */
const named = parts.filter(({ name }) => name === only);
const chosen = only === '' && store === '' ? parts.filter(({ isLong }) => !isLong) : named;

if (values.draw) {
  await drawCharts();
  process.exit();
}

const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
const options: Options = {
  folder,
  effort,
  licenses: Number(values.licenses),
  soakSeconds: Number(values.seconds),
};
try {
  let results: Results = {};
  for (const part of chosen) results = { ...results, ...(await part.run(options)) };
  if (named.length === 0) {
    if (store !== 'mongo') results = { ...results, ...(await onSqlite(options)) };
    if (store !== 'sqlite') results = { ...results, ...(await onMongo(options)) };
  }
  const isWhole = !quick && (only === '' || named.length > 0) && values.licenses === '100000';
  if (isWhole) {
    const machine = `${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
    await keepResults({ date: new Date().toISOString(), machine, effort }, results);
    await drawCharts();
  }
} finally {
  await rm(folder, { recursive: true });
}

async function onSqlite({ licenses }: Options): Promise<Results> {
  const sqlite = await compareOnSqlite(folder, licenses, effort, only, (comparison) => {
    console.log(`${comparison.operation}: ${shareOfCeiling(comparison).toFixed(2)} of the ceiling`);
  });
  console.log(`\nSQLite: microseconds of CPU for one request, median (min–max) of ${effort.rounds} rounds`);
  console.log(`${sqliteTable(sqlite)}\n`);
  return { sqlite };
}

async function onMongo({ licenses }: Options): Promise<Results> {
  const mongo = await compareOnMongo(folder, licenses, { together: effort, alone }, only);
  if (mongo === null) {
    console.log('MongoDB is left out: there is no mongod on the PATH.');
    return {};
  }
  console.log(`MongoDB: microseconds of CPU for one request, median (min–max) of ${effort.rounds} rounds`);
  console.log(mongoTable(mongo));
  return { mongo };
}
