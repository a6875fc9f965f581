import { join } from 'node:path';
import { seedStore } from '../data/seed-store.ts';
import { ask } from '../load/load.ts';
import { pageWorkloads } from '../load/workloads.ts';
import { startProcess } from '../processes/measured-process.ts';
import type { Effort } from './rounds.ts';
import { compare, type SqliteComparison } from './sqlite-comparison.ts';

/** How `--only` names this measurement. */
export const pagesName = 'pages';

/** A page, Latchkey and the ceiling with the same bytes. */
export interface PageComparison extends SqliteComparison {
  /** Of the HTML before compression. */
  readonly bytes: number;
}

export interface PagesResults {
  readonly comparisons: readonly PageComparison[];
}

const licenses = 1000;

/** Measures pages on a SQLite file with 10,000 listings. */
export async function comparePages(folder: string, effort: Effort): Promise<PagesResults> {
  const store = `sqlite:${join(folder, 'pages.db')}`;
  const data = await seedStore(store, licenses);
  const latchkey = await startProcess(['bench/processes/latchkey.ts', join(folder, 'pages.log'), store]);
  const comparisons: PageComparison[] = [];
  for (const workload of pageWorkloads(data)) {
    const { length: bytes } = await ask(latchkey.port, workload.request(0), 200);
    comparisons.push({ ...(await compare(workload, { latchkey, express: null }, folder, effort)), bytes });
  }
  await latchkey.stop();
  return { comparisons };
}
