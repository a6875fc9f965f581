import { join } from 'node:path';
import { seedStore, type Data } from '../data/seed-store.ts';
import { adminWorkloads } from '../load/admin-workloads.ts';
import { entitlementWorkloads, type Workload } from '../load/workloads.ts';
import { startProcess, type MeasuredProcess } from '../processes/measured-process.ts';
import { measure, type Contender, type Effort, type Measured } from './rounds.ts';

/** How `--only` names this measurement. */
export const administrationName = 'administration';

/** Names of contenders, as tables show them. */
export const administrationNames = {
  cancel: 'durable cancel',
  read: 'entitlement read',
  grant: 'grant',
  renew: 'renew',
  show: 'show by id',
  smallPage: 'page of 50 of the small list',
  largePage: 'page of 50 of the large list',
} as const;

/** What each operation is compared with, and the aim: its CPU per request, divided by that of the other. */
export const administrationAims: Readonly<Record<string, readonly [other: string, times: number]>> = {
  [administrationNames.grant]: [administrationNames.cancel, 1.3],
  [administrationNames.renew]: [administrationNames.cancel, 1.1],
  [administrationNames.show]: [administrationNames.read, 1.1],
  [administrationNames.largePage]: [administrationNames.smallPage, 3],
};

export interface AdministrationResults {
  readonly licenses: number;
  readonly contenders: readonly Measured[];
}

/**
 * Measures operations of an operator beside public ones, in one process on a SQLite file with `licenses` licenses, and a
 * page of the list of entitlements on two files: with a tenth of the licenses, and with ten times as many.
 */
export async function measureAdministration(
  folder: string,
  licenses: number,
  effort: Effort,
): Promise<AdministrationResults> {
  const [service, small, large] = [
    await served(folder, 'administration', licenses),
    await served(folder, 'small', Math.ceil(licenses / 10)),
    await served(folder, 'large', licenses * 10),
  ];
  const { grant, renew, show } = adminWorkloads(service.data);
  const open = entitlementWorkloads(service.data);
  const operations = [
    contender(administrationNames.cancel, service.process, named(open, administrationNames.cancel)),
    contender(administrationNames.grant, administered(service.process), grant),
    contender(administrationNames.renew, administered(service.process), renew),
    contender(administrationNames.read, service.process, named(open, administrationNames.read)),
    contender(administrationNames.show, administered(service.process), show),
    contender(administrationNames.smallPage, administered(small.process), adminWorkloads(small.data).page),
    contender(administrationNames.largePage, administered(large.process), adminWorkloads(large.data).page),
  ];
  const contenders = await measure({ workload: show, firstRequest: 0, store: null, contenders: operations }, effort);
  await Promise.all([service, small, large].map(({ process }) => process.stop()));
  return { licenses, contenders };
}

interface Served {
  readonly data: Data;
  readonly process: MeasuredProcess;
}

/** Seeds a store and serves it, with the administration. */
async function served(folder: string, name: string, licenses: number): Promise<Served> {
  const store = `sqlite:${join(folder, `${name}.db`)}`;
  const data = await seedStore(store, licenses);
  const log = join(folder, `${name}.log`);
  return { data, process: await startProcess(['bench/processes/latchkey.ts', log, store, 'adminPort=0']) };
}

function contender(name: string, process: MeasuredProcess, workload: Workload): Contender {
  return { name, process, workload };
}

/** The process, loaded at its admin port. */
function administered(process: MeasuredProcess): MeasuredProcess {
  const { adminPort } = process;
  if (adminPort === null) throw new Error('the process does not serve the administration');
  return { ...process, port: adminPort };
}

function named(workloads: readonly Workload[], name: string): Workload {
  const workload = workloads.find((each) => each.name === name);
  if (workload === undefined) throw new Error(`there is no workload ${name}`);
  return workload;
}
