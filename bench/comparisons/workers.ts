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

/** A server with this number of workers, which counts each request for a rate limit or none. */
export interface MeasuredWorkers {
  readonly workers: number;
  readonly limited: boolean;
  readonly rounds: readonly WorkersRound[];
}

export interface WorkersResults {
  readonly servers: readonly MeasuredWorkers[];
}

/** Measures verification by one process and by two workers on SQLite, with rate limits and without. */
export async function measureWorkers(folder: string, effort: Effort): Promise<WorkersResults> {
  const store = `sqlite:${join(folder, 'workers.db')}`;
  const [verification] = entitlementWorkloads(await seedStore(store, licenses));
  const servers = [];
  for (const limited of [false, true]) {
    for (const workers of [1, 2]) {
      const log = join(folder, `workers-${servers.length}.log`);
      const served = await ServedWorkers.start(log, store, workers, limited ? 'verifyLicense=1000000' : 'off');
      servers.push({ workers, limited, served, rounds: [] as WorkersRound[] });
    }
  }
  let number = 0;
  const next = (): string => verification.request(number++);
  const round = async (served: ServedWorkers, workers: number, seconds: number): Promise<WorkersRound> => {
    const before = await served.cpu();
    const connections = effort.connections * workers;
    const result = await load({ port: served.port, connections, seconds, next, status: 200, poll: false });
    const after = await served.cpu();
    return {
      primary: (after.primary - before.primary) / result.requests,
      workers: (after.workers - before.workers) / result.requests,
      requestsPerSecond: result.requests / result.seconds,
    };
  };
  for (const { served, workers } of servers) await round(served, workers, effort.warmUpSeconds);
  for (let turn = 0; turn < effort.rounds; turn += 1) {
    for (const { served, workers, rounds } of servers) rounds.push(await round(served, workers, effort.seconds));
  }
  await Promise.all(servers.map(({ served }) => served.stop()));
  return { servers: servers.map(({ workers, limited, rounds }) => ({ workers, limited, rounds })) };
}
