import { readFile, writeFile } from 'node:fs/promises';
import { withBlocks } from '../../docs/generate/marked-block.ts';
import { mongoTable, slowClientsTable, sqliteTable, type Results } from './report.ts';

const readme = 'bench/README.md';

/** Writes a run to the results file and its tables into the README. */
export async function keepResults(results: Results): Promise<void> {
  await writeFile('bench/results.json', `${JSON.stringify(results, null, 2)}\n`);
  const { date, machine, effort, sqlite, mongo, slowClients } = results;
  const run = `${date.slice(0, 10)}, ${machine}; ${effort.rounds} rounds of ${effort.seconds} s`;
  const caption = `${run}, ${effort.connections} connections.`;
  const start = `Start to first answer: ${sqlite?.startToFirstAnswer.toFixed(0)} ms.`;
  const tables = {
    ...(sqlite !== null && { SQLite: `${caption} ${start}\n\n${sqliteTable(sqlite)}` }),
    ...(mongo !== null && { MongoDB: `${caption}\n\n${mongoTable(mongo)}` }),
    ...(slowClients !== null && { 'slow clients': `${run}.\n\n${slowClientsTable(slowClients)}` }),
  };
  await writeFile(readme, withBlocks(await readFile(readme, 'utf8'), tables));
}
