import { join } from 'node:path';
import { seedStore } from '../data/seed-store.ts';
import { load } from '../load/load.ts';
import { entitlementWorkloads } from '../load/workloads.ts';
import { ServedWorkers } from '../processes/served-workers.ts';
import type { Effort } from './rounds.ts';

/** How `--only` names this measurement. */
export const workersName = 'workers';

/** How many times the verifications of one process two workers are to carry, on two cores of their own. */
export const workersAim = 1.8;

const licenses = 10_000;

/** The figures of one server in one round: microseconds of CPU for one request, and the rate. */
export interface WorkersRound {
  readonly primary: number;
  /** Of all workers, or of the only process. */
  readonly workers: number;
  readonly requestsPerSecond: number;
}

/** What carries the load: servers with a port each, of so many processes each. */
interface Arrangement {
  readonly name: string;
  readonly servers: number;
  readonly workers: number;
}

/** Two servers that share nothing but the store show what the machine allows two workers to do. */
const arrangements: readonly Arrangement[] = [
  { name: 'one process', servers: 1, workers: 1 },
  { name: 'two servers', servers: 2, workers: 1 },
  { name: '2 workers', servers: 1, workers: 2 },
];

/** An arrangement that counts each request for a rate limit, or none. */
export interface MeasuredWorkers extends Arrangement {
  readonly limited: boolean;
  readonly rounds: readonly WorkersRound[];
}

export interface WorkersResults {
  readonly servers: readonly MeasuredWorkers[];
}

/** Measures verification by one process, two servers and two workers on SQLite, with rate limits and without. */
export async function measureWorkers(folder: string, effort: Effort): Promise<WorkersResults> {
  const store = `sqlite:${join(folder, 'workers.db')}`;
  const [verification] = entitlementWorkloads(await seedStore(store, licenses));
  const measured = [];
  for (const limited of [false, true]) {
    for (const arrangement of arrangements) {
      const running = [];
      while (running.length < arrangement.servers) {
        const log = join(folder, `workers-${measured.length}-${running.length}.log`);
        const rateLimits = limited ? 'verifyLicense=1000000' : 'off';
        running.push(await ServedWorkers.start(log, store, arrangement.workers, rateLimits));
      }
      measured.push({ running, figures: { ...arrangement, limited, rounds: [] as WorkersRound[] } });
    }
  }
  let number = 0;
  const next = (): string => verification.request(number++);
  const round = async (
    running: readonly ServedWorkers[],
    connections: number,
    seconds: number,
  ): Promise<WorkersRound> => {
    const before = await cpuOfAll(running);
    const results = await Promise.all(
      running.map(({ port }) => load({ port, connections, seconds, next, status: 200, poll: false })),
    );
    const after = await cpuOfAll(running);
    const requests = sum(results.map((result) => result.requests));
    return {
      primary: (after.primary - before.primary) / requests,
      workers: (after.workers - before.workers) / requests,
      requestsPerSecond: sum(results.map((result) => result.requests / result.seconds)),
    };
  };
  for (const { running, figures } of measured) {
    await round(running, effort.connections * figures.workers, effort.warmUpSeconds);
  }
  for (let turn = 0; turn < effort.rounds; turn += 1) {
    for (const { running, figures } of measured) {
      figures.rounds.push(await round(running, effort.connections * figures.workers, effort.seconds));
    }
  }
  await Promise.all(measured.flatMap(({ running }) => running.map((served) => served.stop())));
  return { servers: measured.map(({ figures }) => figures) };
}

async function cpuOfAll(running: readonly ServedWorkers[]): Promise<Pick<WorkersRound, 'primary' | 'workers'>> {
  const each = await Promise.all(running.map((served) => served.cpu()));
  return { primary: sum(each.map(({ primary }) => primary)), workers: sum(each.map(({ workers }) => workers)) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
