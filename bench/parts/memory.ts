import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { seedStore } from '../data/seed-store.ts';
import { part } from '../report/part.ts';
import { spread, table } from '../report/table.ts';
import type { Site } from '../servers/site.ts';

const [served, indexed] = [10_000, 100_000];

/** Until an idle server is measured, in milliseconds. */
const idleTime = 10_000;

const run = promisify(execFile);

/** The memory of a server with 10,000 listings that has had no request, and that of 100,000 listings in the index. */
export const memory = part({
  name: 'memory',
  about: 'median (min–max)',
  async measure(site, { effort: { rounds } }) {
    const [small, large] = [site.sqlite('small'), site.sqlite('large')];
    await seedStore(small, 0, served);
    await seedStore(large, 0, indexed);
    const figures = { server: [] as number[], listing: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      figures.server.push(await idleMemory(site, small));
      const { stdout } = await run(process.execPath, ['--expose-gc', 'bench/servers/index-memory.ts', large]);
      figures.listing.push(Number(stdout) / indexed);
    }
    return figures;
  },
  table: ({ server, listing }) =>
    table(
      [
        { what: `idle server with ${served} listings`, figure: spread(server, ' MB'), aim: '≤ 110 MB' },
        { what: `a listing in the index, of ${indexed}`, figure: spread(listing, ' bytes'), aim: '< 1000 bytes' },
      ],
      [
        ['what', ({ what }) => what],
        ['memory', ({ figure }) => figure],
        ['aim', ({ aim }) => aim],
      ],
    ),
  length: ({ rounds }) => `; ${rounds} rounds`,
});

/** The resident memory of a server, in megabytes, some time after its start. */
async function idleMemory(site: Site, store: string): Promise<number> {
  const server = await site.latchkey(store);
  await sleep(idleTime);
  const rss = await server.rss();
  await server.stop();
  return rss / 1e6;
}
