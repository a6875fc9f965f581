import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seedStore, type Data } from '../data/seed-store.ts';
import { entitlementWorkloads } from '../load/workloads.ts';
import type { CpuMeter } from '../processes/cpu-meter.ts';
import { startProcess, type MeasuredProcess } from '../processes/measured-process.ts';
import { startMongod } from '../processes/mongod.ts';
import { extractRelease, type OlderRelease } from '../processes/older-release.ts';
import { deliveryTimes, deliveryTimesOfMany, type DeliveryTimes } from './event-delivery.ts';
import { storeEvents, type EventRates } from './event-rates.ts';
import { measure, type Contender, type Effort, type Measured } from './rounds.ts';

/** How `--only` names this measurement. */
export const eventsName = 'events';

/** The commit before changes were stored with their events. */
const commitBefore = '40d9766';

/** The aim of an idle service: percent of a core more than before. */
export const idleAim = 0.5;

export const eventsNames = { before: 'before events', now: 'with events' } as const;

/** The operations that are measured before and with events: how much more each may cost. */
export const eventsAims: ReadonlyMap<string, number | null> = new Map([
  ['durable cancel', 1.15],
  ['verification', null],
  ['entitlement read', null],
]);

export interface EventOperation {
  readonly operation: string;
  readonly contenders: readonly Measured[];
}

export interface EventCosts {
  readonly store: 'SQLite' | 'MongoDB';
  readonly operations: readonly EventOperation[];
  /** Percent of a core that an idle service costs, before and with events. */
  readonly idle: { readonly before: number; readonly now: number };
  /** Milliseconds from the request that makes an event to its delivery. */
  readonly deliveries: readonly number[];
  /** The same with an endpoint of very many products. */
  readonly ofManyProducts: DeliveryTimes;
  readonly rates: EventRates;
}

export interface EventsResults {
  readonly stores: readonly EventCosts[];
}

const licenses = 20_000;

/** How long a process still compiles what its start has used, in milliseconds. */
const settlingTime = 10_000;

interface Place {
  readonly store: EventCosts['store'];
  readonly url: (database: string) => string;
  readonly server: CpuMeter | null;
}

/** Measures what events cost, against the sources of the commit before them; on MongoDB if `mongod` is on the PATH. */
export async function measureEvents(folder: string, effort: Effort): Promise<EventsResults> {
  const older = await extractRelease(commitBefore, join(folder, 'before'));
  const sqlite: Place = { store: 'SQLite', url: (name) => `sqlite:${join(folder, `${name}.db`)}`, server: null };
  const stores = [await costsOn(sqlite, older, folder, effort)];
  const mongod = await startMongod(folder);
  if (mongod === null) return { stores };
  try {
    const mongo: Place = { store: 'MongoDB', url: (name) => mongod.url(name), server: mongod };
    stores.push(await costsOn(mongo, older, folder, effort));
  } finally {
    await mongod.stop();
  }
  return { stores };
}

async function costsOn(place: Place, older: OlderRelease, folder: string, effort: Effort): Promise<EventCosts> {
  const [before, now] = [place.url('before'), place.url('now')];
  const data = { before: await older.seedStore(before, licenses), now: await seedStore(now, licenses) };
  const start = (program: string, name: string, store: string, ...settings: string[]): Promise<MeasuredProcess> =>
    startProcess([program, join(folder, `${place.store}-${name}.log`), store, ...settings]);
  const served = {
    before: await start(older.program, 'before', before),
    now: await start('bench/processes/latchkey.ts', 'now', now, 'adminPort=0', 'webhookAllowNetworks=127.0.0.1/32'),
  };
  const idle = await idleCost(served, effort.seconds * 10);
  const { deliveries } = await deliveryTimes(served.now, data.now, effort.rounds * 4);
  const operations: EventOperation[] = [];
  for (const operation of eventsAims.keys()) {
    const contenders = [
      contender(eventsNames.before, served.before, data.before, operation),
      contender(eventsNames.now, served.now, data.now, operation),
    ];
    operations.push({ operation, contenders: await compare(contenders, place.server, effort) });
  }
  const ofManyProducts = await deliveryTimesOfMany(served.now, data.now, effort.rounds * 2);
  await Promise.all([served.before.stop(), served.now.stop()]);
  return {
    store: place.store,
    operations,
    idle,
    deliveries,
    ofManyProducts,
    rates: await storeEvents(now, place.server),
  };
}

/** Loads both in turn, in more and shorter rounds than elsewhere: what counts is the ratio of each round. */
function compare(
  contenders: readonly Contender[],
  store: CpuMeter | null,
  effort: Effort,
): Promise<readonly Measured[]> {
  const [{ workload } = {}] = contenders;
  if (workload === undefined) throw new Error('there is no workload');
  const rounds = { ...effort, rounds: effort.rounds * 3, seconds: effort.seconds / 2 };
  return measure({ workload, firstRequest: 0, store, contenders }, rounds);
}

function contender(name: string, process: MeasuredProcess, data: Data, operation: string): Contender {
  const workload = entitlementWorkloads(data).find((each) => each.name === operation);
  if (workload === undefined) throw new Error(`there is no workload ${operation}`);
  return { name, process, workload };
}

async function idleCost(
  { before, now }: Readonly<Record<'before' | 'now', MeasuredProcess>>,
  seconds: number,
): Promise<EventCosts['idle']> {
  await sleep(settlingTime);
  const [start, startNow] = [await before.cpu(), await now.cpu()];
  await sleep(seconds * 1000);
  const percent = (microseconds: number): number => microseconds / seconds / 10_000;
  return { before: percent((await before.cpu()) - start), now: percent((await now.cpu()) - startNow) };
}
