import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { seedStore } from '../data/seed-store.ts';
import { rssOf } from '../processes/memory.ts';
import type { Effort } from './rounds.ts';

/** How `--only` names this measurement. */
export const memoryName = 'memory';

/** The aims: megabytes of an idle server, and bytes of a listing in the index. */
export const memoryAims = { server: 110, listing: 1000 } as const;

export const served = 10_000;
export const indexed = 100_000;

/** Until an idle server is measured, in milliseconds. */
const idleTime = 10_000;

export interface MemoryResults {
  /** Megabytes of the idle server, in each round. */
  readonly server: readonly number[];
  /** Bytes of heap and arrays of one listing in the index, in each round. */
  readonly listing: readonly number[];
}

const run = promisify(execFile);

/** Measures the memory of a server with 10,000 listings that nobody asks, and that of 100,000 listings in the index. */
export async function measureMemory(folder: string, { rounds }: Pick<Effort, 'rounds'>): Promise<MemoryResults> {
  const [small, large] = [await seedCatalog(folder, served), await seedCatalog(folder, indexed)];
  const server: number[] = [];
  const listing: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    server.push(await idleMemory(small));
    const { stdout } = await run(process.execPath, ['--expose-gc', 'bench/processes/index-memory.ts', large]);
    listing.push(Number(stdout) / indexed);
  }
  return { server, listing };
}

/** Creates a SQLite store with so many listings and no license; returns its address. */
async function seedCatalog(folder: string, count: number): Promise<string> {
  const url = `sqlite:${join(folder, `catalog-${count}.db`)}`;
  await seedStore(url, 0, count);
  return url;
}

/** The resident memory of a server, in megabytes, some time after its start. */
async function idleMemory(store: string): Promise<number> {
  const child = execFile(process.execPath, ['app/main.js', 'serve', '--store', store, '--port', '0', '--json']);
  const ended = once(child, 'exit');
  if (child.stdout !== null) await once(child.stdout, 'data');
  await sleep(idleTime);
  const rss = await rssOf(child);
  child.kill('SIGTERM');
  await ended;
  return rss / 1e6;
}
