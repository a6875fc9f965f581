import { barChart } from '../charts/bars.ts';
import { publicWorkloads } from '../load/workloads.ts';
import { medianOf, roundsOf, type Measured, type Round } from '../measure/figures.ts';
import { measure, type Contender, type Effort } from '../measure/rounds.ts';
import { cpuOfRequests, part } from '../report/part.ts';
import { cpu, table } from '../report/table.ts';
import { copyDatabase } from '../servers/mongod.ts';

interface MongoComparison {
  readonly operation: Operation;
  /** With 32 requests under way. */
  readonly together: readonly Measured[];
  /** One request at a time. */
  readonly alone: readonly Measured[];
}

const names = { latchkey: 'Latchkey', driver: 'node:http + driver', mongoose: 'Express + mongoose' } as const;

/**
 * The aims: how many times cheaper than each peer Latchkey is, and its share of the hand-written peer's rate alone. And
 * how many times as long as others one request at a time needs until the figures stand still.
 */
const aims = {
  verification: { driver: 3.3, mongoose: 7, alone: 0.95, warmUps: 1 },
  'entitlement read': { driver: 3.5, mongoose: 6, alone: 0.9, warmUps: 1 },
  'durable cancel': { driver: 3.3, mongoose: 5, alone: 0.95, warmUps: 5 },
} as const;

type Operation = keyof typeof aims;

const operations = Object.keys(aims) as Operation[];

/** Requests that are sent one at a time are numbered from here on: their idempotency keys are new. */
const aloneFrom = 10_000_000;

/** Operations of entitlements on MongoDB, beside a peer by hand and Express. */
export const mongo = part({
  name: 'mongo',
  about: cpuOfRequests,
  async measure(site, { licenses, effort, only }) {
    const mongod = await site.mongod();
    if (mongod === null) return null;
    const { data, server } = await site.seeded(mongod.url('latchkey'), licenses);
    const peer = async (program: string, database: string) => {
      await copyDatabase(mongod, 'latchkey', database);
      return site.start([program, mongod.url(database)]);
    };
    const servers = {
      [names.latchkey]: server,
      [names.driver]: await peer('bench/peers/mongo-driver.ts', 'driver'),
      [names.mongoose]: await peer('bench/peers/express-mongoose.ts', 'mongoose'),
    };
    const comparisons: MongoComparison[] = [];
    for (const operation of operations.filter((name) => name.includes(only))) {
      const workload = publicWorkloads(data)[operation];
      const contenders = Object.entries(servers).map(([name, each]) => ({
        name,
        server: each,
        workload,
        store: mongod,
      }));
      comparisons.push(await compare(operation, contenders, effort));
    }
    return { licenses, comparisons };
  },
  table: ({ comparisons }) =>
    table(comparisons, [
      ['operation', ({ operation }) => operation],
      ['Latchkey', ({ together }) => cpu(roundsOf(together, names.latchkey))],
      ['H', ({ together }) => cpu(roundsOf(together, names.driver))],
      ['X', ({ together }) => cpu(roundsOf(together, names.mongoose))],
      ['H ÷ Latchkey', ({ together }) => times(together, names.driver, names.latchkey, 'cpu').toFixed(1)],
      ['aim', ({ operation }) => aims[operation].driver.toFixed(1)],
      ['X ÷ Latchkey', ({ together }) => times(together, names.mongoose, names.latchkey, 'cpu').toFixed(1)],
      ['aim', ({ operation }) => aims[operation].mongoose.toFixed(1)],
      [
        'mongod for each',
        ({ together }) => together.map(({ rounds }) => medianOf(rounds, 'storeCpu').toFixed(0)).join(', '),
      ],
      ['alone', ({ alone }) => times(alone, names.latchkey, names.driver, 'requestsPerSecond').toFixed(2)],
      ['aim', ({ operation }) => aims[operation].alone.toFixed(2)],
    ]),
  chart: ({ comparisons }) =>
    barChart({
      name: 'mongodb',
      title: 'CPU per request on MongoDB',
      alternative: 'Bars: CPU per request of Latchkey and two peers on MongoDB, by operation',
      comparisons: comparisons.map(({ operation, together }) => ({ operation, contenders: together })),
      bars: [
        { contender: names.latchkey, label: 'Latchkey', color: 0 },
        { contender: names.driver, label: 'node:http + driver, by hand (H)', color: 1 },
        { contender: names.mongoose, label: 'Express + mongoose (X)', color: 2 },
      ],
    }),
});

async function compare(
  operation: Operation,
  contenders: readonly Contender[],
  effort: Effort,
): Promise<MongoComparison> {
  const warmUpSeconds = effort.warmUpSeconds * aims[operation].warmUps;
  const oneByOne = contenders.map((contender) => ({ ...contender, firstRequest: aloneFrom }));
  return {
    operation,
    together: await measure(contenders, effort),
    alone: await measure(oneByOne, { ...effort, connections: 1, warmUpSeconds }),
  };
}

/** The median of a contender, divided by that of another. */
function times(contenders: readonly Measured[], one: string, other: string, figure: keyof Round): number {
  return medianOf(roundsOf(contenders, one), figure) / medianOf(roundsOf(contenders, other), figure);
}
