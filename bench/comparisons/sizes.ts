import { join } from 'node:path';
import { seedStore, type Data } from '../data/seed-store.ts';
import { catalogWorkloads, entitlementWorkloads, type Workload } from '../load/workloads.ts';
import { startProcess } from '../processes/measured-process.ts';
import { measure, type Effort, type Measured } from './rounds.ts';

/** How `--only` names this measurement. */
export const sizesName = 'sizes';

/** The cost of one operation over the size of the store. */
export interface SizesOfOperation {
  readonly operation: string;
  /** One for each size, which is its name. */
  readonly sizes: readonly Measured[];
}

/** On SQLite, by what grows. */
export interface SizesResults {
  readonly listings: readonly SizesOfOperation[];
  readonly licenses: readonly SizesOfOperation[];
}

const sizes = {
  listings: [10_000, 100_000, 300_000],
  licenses: [10_000, 100_000, 1_000_000],
};
const licensesBesideCatalog = 1000;
const operations = {
  listings: ['slug', 'first page', 'search, a new one each time'],
  licenses: ['verification', 'entitlement read', 'durable cancel'],
};

/** Measures operations over the size of the catalog and over the number of licenses; the sizes take turns. */
export async function measureSizes(folder: string, effort: Effort): Promise<SizesResults> {
  return {
    listings: await overSizes(folder, 'listings', seedCatalog, catalogWorkloads, effort),
    licenses: await overSizes(folder, 'licenses', seedStore, entitlementWorkloads, effort),
  };
}

function seedCatalog(url: string, listings: number): Promise<Data> {
  return seedStore(url, licensesBesideCatalog, listings);
}

async function overSizes(
  folder: string,
  what: keyof SizesResults,
  seed: (url: string, size: number) => Promise<Data>,
  workloadsOf: (data: Data) => readonly Workload[],
  effort: Effort,
): Promise<readonly SizesOfOperation[]> {
  const servers = [];
  for (const size of sizes[what]) {
    const url = `sqlite:${join(folder, `${what}-${size}.db`)}`;
    const workloads = workloadsOf(await seed(url, size));
    const log = join(folder, `${what}-${size}.log`);
    servers.push({ size, workloads, process: await startProcess(['bench/processes/latchkey.ts', log, url]) });
  }
  const measured: SizesOfOperation[] = [];
  for (const operation of operations[what]) {
    const contenders = servers.flatMap(({ size, workloads, process }) => {
      const workload = workloads.find(({ name }) => name === operation);
      return workload === undefined ? [] : [{ name: String(size), process, workload }];
    });
    const [first] = contenders;
    if (first === undefined) continue;
    const subject = { workload: first.workload, firstRequest: 0, store: null, contenders };
    measured.push({ operation, sizes: await measure(subject, effort) });
  }
  await Promise.all(servers.map(({ process }) => process.stop()));
  return measured;
}
