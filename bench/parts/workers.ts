import { seedStore } from '../data/seed-store.ts';
import { publicWorkloads } from '../load/workloads.ts';
import { ratioOf } from '../measure/figures.ts';
import { measure, type Contender } from '../measure/rounds.ts';
import { cpuOfRequests, part } from '../report/part.ts';
import { spread, table } from '../report/table.ts';
import type { Site } from '../servers/site.ts';

/**
 * The aim for two workers on two cores of their own: the verifications of one process times this, and this share of
 * those of two servers.
 */
const aim = 1.8;
const aimOfServers = 0.95;

/** The figures of one round: microseconds of CPU for one request, and the rate. */
interface WorkersRound {
  readonly primary: number;
  /** Of all workers, or of processes without workers. */
  readonly workers: number;
  readonly requestsPerSecond: number;
}

/** The processes that carry the load: servers with a port each, and the number of workers of each. */
interface Arrangement {
  readonly name: string;
  readonly servers: number;
  readonly workers: number;
  /** Whether each request is counted for a rate limit. */
  readonly limited: boolean;
}

interface MeasuredWorkers extends Arrangement {
  readonly rounds: readonly WorkersRound[];
}

/** Two servers that share nothing but the store show what the machine allows two workers to do. */
const arrangements: readonly Arrangement[] = [false, true].flatMap((limited) => [
  { name: 'one process', servers: 1, workers: 1, limited },
  { name: 'two servers', servers: 2, workers: 1, limited },
  { name: '2 workers', servers: 1, workers: 2, limited },
]);

/** Verification by one process, two servers and two workers on SQLite, with rate limits and without. */
export const workers = part({
  name: 'workers',
  about: cpuOfRequests,
  async measure(site, { effort }) {
    const { verification } = publicWorkloads(await seedStore(site.sqlite('workers'), 10_000));
    const contenders: Contender[] = [];
    for (const arrangement of arrangements) {
      const connections = effort.connections * arrangement.servers * arrangement.workers;
      const started = await start(site, arrangement);
      contenders.push({ name: arrangement.name, workload: verification, connections, ...started });
    }
    const measured = await measure(contenders, effort);
    return {
      servers: arrangements.map((arrangement, index) => ({
        ...arrangement,
        rounds: (measured[index]?.rounds ?? []).map(({ cpu, storeCpu, requestsPerSecond }) => {
          return { primary: storeCpu, workers: cpu, requestsPerSecond };
        }),
      })),
    };
  },
  table: ({ servers }) => {
    const times = (server: MeasuredWorkers): string => {
      const one = servers.find((other) => other.servers * other.workers === 1 && other.limited === server.limited);
      return one === undefined || one === server ? '' : timesOn(server, one);
    };
    const shareOfServers = (server: MeasuredWorkers): string => {
      const two = servers.find((other) => other.servers === 2 && other.limited === server.limited);
      return two === undefined || server.workers === 1 ? '' : shareOf(server, two).toFixed(2);
    };
    return table(servers, [
      ['server', ({ name, limited }) => `${name}${limited ? ', limited' : ''}`],
      ['primary', (server) => (server.workers > 1 ? spread(server.rounds.map(({ primary }) => primary)) : '')],
      ['workers', (server) => (server.workers > 1 ? spread(server.rounds.map((round) => round.workers)) : '')],
      ['together', ({ rounds }) => spread(rounds.map(together))],
      ['times on two cores', times],
      ['aim', (server) => (server.workers > 1 ? `≥ ${aim}` : '')],
      ['of two servers', shareOfServers],
      ['its aim', (server) => (server.workers > 1 ? `≥ ${aimOfServers}` : '')],
      ['answers/s beside the generator', ({ rounds }) => spread(rounds.map((round) => round.requestsPerSecond))],
    ]);
  },
});

/** Starts servers on both cores. The primary of workers is measured like the server of a store: beside what answers. */
async function start(
  site: Site,
  { servers, workers: count, limited }: Arrangement,
): Promise<Omit<Contender, 'name' | 'workload'>> {
  const rateLimits = limited ? 'verifyLicense=1000000' : 'off';
  const flags = ['--workers', String(count), '--rate-limits', rateLimits];
  const one = () => site.latchkey(site.sqlite('workers'), { cores: '0,1', flags });
  const server = await one();
  if (count > 1) {
    return { server: { port: server.port, adminPort: null, cpu: () => server.cpuOfWorkers() }, store: server };
  }
  return { server, twin: servers > 1 ? await one() : undefined, store: { cpu: async () => 0 } };
}

/** The requests of two cores, as a multiple of those of one process. */
function timesOn(server: MeasuredWorkers, one: MeasuredWorkers): string {
  return (2 * shareOf(server, one)).toFixed(2);
}

/** The requests of a server on the same CPU, divided by those of the other. */
function shareOf(server: MeasuredWorkers, other: MeasuredWorkers): number {
  const [ofOther, ofServer] = [other, server].map(({ rounds }) => rounds.map((round) => ({ cpu: together(round) })));
  return ratioOf(ofOther ?? [], ofServer ?? [], 'cpu');
}

function together({ primary, workers: own }: WorkersRound): number {
  return primary + own;
}
