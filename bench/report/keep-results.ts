import { readFile, writeFile } from 'node:fs/promises';
import { mongoTable, slowClientsTable, sqliteTable, type Results } from './report.ts';

const readme = 'bench/README.md';

/** Writes a run to the results file and its tables into the README. */
export async function keepResults(results: Results): Promise<void> {
  await writeFile('bench/results.json', `${JSON.stringify(results, null, 2)}\n`);
  const { date, machine, effort, sqlite, mongo, slowClients } = results;
  const run = `${date.slice(0, 10)}, ${machine}; ${effort.rounds} rounds of ${effort.seconds} s`;
  const caption = `${run}, ${effort.connections} connections.`;
  if (sqlite !== null) {
    const start = `Start to first answer: ${sqlite.startToFirstAnswer.toFixed(0)} ms.`;
    await writeBetweenMarkers('SQLite', `${caption} ${start}\n\n${sqliteTable(sqlite)}`);
  }
  if (mongo !== null) await writeBetweenMarkers('MongoDB', `${caption}\n\n${mongoTable(mongo)}`);
  if (slowClients !== null) await writeBetweenMarkers('slow clients', `${run}.\n\n${slowClientsTable(slowClients)}`);
}

async function writeBetweenMarkers(name: string, text: string): Promise<void> {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const content = await readFile(readme, 'utf8');
  const [start, stop] = [content.indexOf(begin), content.indexOf(end)];
  if (start === -1 || stop < start) throw new Error(`${readme} has no markers for ${name}`);
  await writeFile(readme, `${content.slice(0, start + begin.length)}\n${text}\n${content.slice(stop)}`);
}
