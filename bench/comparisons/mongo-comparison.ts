import { join } from 'node:path';
import { seedStore } from '../data/seed-store.ts';
import { entitlementWorkloads, type Workload } from '../load/workloads.ts';
import { startProcess } from '../processes/measured-process.ts';
import { copyDatabase, startMongod, type Mongod } from '../processes/mongod.ts';
import { measure, type Contender, type Effort, type Measured } from './rounds.ts';

/** The aims: how many times cheaper than each peer Latchkey is, and its share of the hand-written peer's rate alone. */
interface Aims {
  readonly driver: number;
  readonly mongoose: number;
  readonly alone: number;
  /** Seconds of one request at a time until the figures stand still. */
  readonly warmUpAlone: number;
}

export interface MongoComparison {
  readonly operation: string;
  readonly aims: Aims;
  /** With 32 requests under way. */
  readonly together: readonly Measured[];
  /** One request at a time. */
  readonly alone: readonly Measured[];
}

export interface MongoResults {
  readonly licenses: number;
  readonly comparisons: readonly MongoComparison[];
}

export const mongoNames = {
  latchkey: 'Latchkey',
  driver: 'node:http + driver',
  mongoose: 'Express + mongoose',
} as const;

const aims: ReadonlyMap<string, Aims> = new Map([
  ['verification', { driver: 3.3, mongoose: 7, alone: 0.95, warmUpAlone: 2 }],
  ['entitlement read', { driver: 3.5, mongoose: 6, alone: 0.9, warmUpAlone: 2 }],
  ['durable cancel', { driver: 3.3, mongoose: 5, alone: 0.95, warmUpAlone: 10 }],
]);

/** Requests that are sent one at a time are numbered from here on: their idempotency keys are new. */
const aloneFrom = 10_000_000;

export interface MongoEffort {
  readonly together: Effort;
  /** Its warm-up is the longest that is allowed. */
  readonly alone: Effort;
}

/** Measures the operations whose name contains `only`; null where there is no `mongod` on the PATH. */
export async function compareOnMongo(
  folder: string,
  licenses: number,
  effort: MongoEffort,
  only: string,
): Promise<MongoResults | null> {
  const mongod = await startMongod(folder);
  if (mongod === null) return null;
  try {
    const data = await seedStore(mongod.url('latchkey'), licenses);
    const contenders = await startContenders(mongod, folder);
    const comparisons: MongoComparison[] = [];
    for (const workload of entitlementWorkloads(data)) {
      const of = aims.get(workload.name);
      if (of === undefined || !workload.name.includes(only)) continue;
      comparisons.push(await compare(workload, of, { contenders, mongod }, effort));
    }
    await Promise.all(contenders.map(({ process }) => process.stop()));
    return { licenses, comparisons };
  } finally {
    await mongod.stop();
  }
}

/** Each contender has its own copy of the data. */
async function startContenders(mongod: Mongod, folder: string): Promise<readonly Contender[]> {
  await copyDatabase(mongod, 'latchkey', 'driver');
  await copyDatabase(mongod, 'latchkey', 'mongoose');
  const start = async (name: string, program: string, database: string): Promise<Contender> => ({
    name,
    process: await startProcess([program, join(folder, `${database}-on-mongo.log`), mongod.url(database)]),
  });
  return [
    await start(mongoNames.latchkey, 'bench/processes/latchkey.ts', 'latchkey'),
    await start(mongoNames.driver, 'bench/peers/mongo-driver/main.ts', 'driver'),
    await start(mongoNames.mongoose, 'bench/peers/express-mongoose/main.ts', 'mongoose'),
  ];
}

async function compare(
  workload: Workload,
  of: Aims,
  { contenders, mongod }: { readonly contenders: readonly Contender[]; readonly mongod: Mongod },
  { together, alone }: MongoEffort,
): Promise<MongoComparison> {
  const subject = { workload, contenders, store: mongod };
  const warmUpSeconds = Math.min(of.warmUpAlone, alone.warmUpSeconds);
  return {
    operation: workload.name,
    aims: of,
    together: await measure({ ...subject, firstRequest: 0 }, together),
    alone: await measure({ ...subject, firstRequest: aloneFrom }, { ...alone, warmUpSeconds }),
  };
}
