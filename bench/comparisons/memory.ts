import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { newCall } from '../../app/service/new-call.ts';
import { openStore } from '../../app/stores/open-store.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import { catalogOf } from '../data/catalog.ts';
import type { Effort } from './rounds.ts';

/** How `--only` names this measurement. */
export const memoryName = 'memory';

/** The aims: megabytes of an idle server, and bytes of a listing in the index. */
export const memoryAims = { server: 110, listing: 1000 } as const;

export const served = 10_000;
export const indexed = 100_000;

/** Settings of Node with which the server is measured. */
const options = ['', '--max-semi-space-size=2'] as const;

/** Until an idle server is measured, in milliseconds. */
const idleTime = 10_000;

export interface MemoryResults {
  readonly servers: readonly ServerMemory[];
  /** Bytes of heap and arrays of one listing in the index, in each round. */
  readonly listing: readonly number[];
}

interface ServerMemory {
  readonly options: string;
  /** Megabytes in each round. */
  readonly rss: readonly number[];
}

const run = promisify(execFile);

/** Measures the memory of a server with 10,000 listings that nobody asks, and that of 100,000 listings in the index. */
export async function measureMemory(folder: string, { rounds }: Pick<Effort, 'rounds'>): Promise<MemoryResults> {
  const [small, large] = [await catalogFile(folder, served), await catalogFile(folder, indexed)];
  const servers = options.map((each) => ({ options: each, rss: [] as number[] }));
  const listing: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const server of servers) server.rss.push(await idleMemory(small, server.options));
    const { stdout } = await run(process.execPath, ['--expose-gc', 'bench/processes/index-memory.ts', large]);
    listing.push(Number(stdout) / indexed);
  }
  return { servers, listing };
}

/** Creates a SQLite store with so many listings; returns its address. */
async function catalogFile(folder: string, count: number): Promise<string> {
  const url = `sqlite:${join(folder, `catalog-${count}.db`)}`;
  const call = newCall(new Date(), 60_000, 'command:bench');
  const store = await openStore(url, { create: true }, retentionFor(defaultTtl), call);
  await store.ports.listings.put(catalogOf(count, call.now), call);
  await store.close();
  return url;
}

/** The resident memory of a server, in megabytes, some time after its start. */
async function idleMemory(store: string, nodeOptions: string): Promise<number> {
  const args = [...nodeOptions.split(' ').filter(Boolean), 'app/main.js', 'serve', '--store', store, '--port', '0'];
  const child = execFile(process.execPath, [...args, '--json']);
  const ended = once(child, 'exit');
  if (child.stdout !== null) await once(child.stdout, 'data');
  await sleep(idleTime);
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  child.kill('SIGTERM');
  await ended;
  return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6;
}
