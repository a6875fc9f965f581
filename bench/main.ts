import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { shareOfCeiling, sqliteTable, writeBetweenMarkers, type Results } from './report.ts';
import type { Effort } from './rounds.ts';
import { compareOnSqlite } from './sqlite-comparison.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});

const thorough: Effort = { rounds: 7, seconds: 1.2, warmUpSeconds: 2, connections: 32 };
const quick: Effort = { rounds: 3, seconds: 0.7, warmUpSeconds: 1, connections: 32 };
const effort = values.quick ? quick : thorough;

const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
try {
  const sqlite = await compareOnSqlite(folder, effort, values.only, (comparison) => {
    console.log(`${comparison.operation}: ${shareOfCeiling(comparison).toFixed(2)} of the ceiling`);
  });
  const results: Results = {
    date: new Date().toISOString(),
    machine: `${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
    effort,
    sqlite,
  };
  console.log(`\nMicroseconds of CPU for one request: median (least–greatest) of ${effort.rounds} rounds`);
  console.log(sqliteTable(sqlite));
  console.log(`start to first answer: ${sqlite.startToFirstAnswer.toFixed(0)} ms`);
  if (!values.quick && values.only === '') await keep(results);
} finally {
  await rm(folder, { recursive: true });
}

/** Only a whole run is kept. */
async function keep(results: Results): Promise<void> {
  await writeFile('bench/results.json', `${JSON.stringify(results, null, 2)}\n`);
  const { date, machine, sqlite, effort: by } = results;
  const caption = `${date.slice(0, 10)}, ${machine}; ${by.rounds} rounds of ${by.seconds} s, ${by.connections} connections. Start to first answer: ${sqlite.startToFirstAnswer.toFixed(0)} ms.`;
  await writeBetweenMarkers('bench/README.md', 'SQLite', `${caption}\n\n${sqliteTable(sqlite)}`);
}
