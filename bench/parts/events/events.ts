import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { seedStore } from '../../data/seed-store.ts';
import { publicWorkloads } from '../../load/workloads.ts';
import { medianOf, ratioOf, roundsOf, spreadOf, type Comparison } from '../../measure/figures.ts';
import { measure, type Effort } from '../../measure/rounds.ts';
import { cpuOfRequests, part } from '../../report/part.ts';
import { cpu, ms, table } from '../../report/table.ts';
import type { Server, Site, StoreKind } from '../../servers/site.ts';
import { deliveryTimes, deliveryTimesOfMany, manyProducts, type DeliveryTimes } from './delivery.ts';
import { storeEvents, type EventRate, type EventRates } from './rates.ts';

interface EventCosts {
  readonly store: StoreKind['store'];
  readonly operations: readonly Comparison[];
  /** Percent of a core that an idle service costs, before and with events. */
  readonly idle: Readonly<Record<'before' | 'now', number>>;
  /** Milliseconds from the request that makes an event to its delivery. */
  readonly deliveries: readonly number[];
  /** The same with an endpoint of very many products. */
  readonly ofManyProducts: DeliveryTimes;
  readonly rates: EventRates;
}

/** The commit before changes were stored with their events. */
const commitBefore = '40d9766';

const names = { before: 'before events', now: 'with events' } as const;
const operations = ['durable cancel', 'verification', 'entitlement read'] as const;
const licenses = 20_000;

/** The time for which a process still compiles the code of its start, in milliseconds. */
const settlingTime = 10_000;

const aims = {
  'durable cancel': '≤ 1.15',
  rate: '≥ 2000',
  idle: '≤ 0.5 %',
  delivery: { SQLite: '≤ 300 ms', MongoDB: '≤ 1000 ms' },
  /** Of an endpoint of all products, whose logs are looked at one after the other. */
  ofManyProducts: '≤ 2000 ms',
};

/** The costs of events, against the sources of the commit before them. */
export const events = part({
  name: 'events',
  about: cpuOfRequests,
  async measure(site, { effort }) {
    const older = await extractRelease(commitBefore, site.file('before'));
    const stores: EventCosts[] = [];
    for await (const kind of site.stores()) stores.push(await costsOn(kind, older, site, effort));
    return { stores };
  },
  table: ({ stores }) => `${operationsTable(stores)}\n\n${besideTable(stores)}`,
});

/** The sources of a commit in a folder of their own, to be measured beside the present ones. */
interface OlderRelease {
  readonly program: string;
  readonly seedStore: typeof seedStore;
}

/** Extracts a commit of this repository into a new folder. It runs with the packages that are installed now. */
async function extractRelease(commit: string, folder: string): Promise<OlderRelease> {
  const run = promisify(execFile);
  await mkdir(folder);
  await run('sh', ['-c', `git archive ${commit} | tar -x -C '${folder}'`]);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const seeding: Pick<OlderRelease, 'seedStore'> = await import(join(folder, 'bench/data/seed-store.ts'));
  return { program: join(folder, 'app/main.js'), seedStore: seeding.seedStore };
}

async function costsOn(kind: StoreKind, older: OlderRelease, site: Site, effort: Effort): Promise<EventCosts> {
  const [urlBefore, urlNow] = [kind.url('before'), kind.url('now')];
  const dataBefore = await older.seedStore(urlBefore, licenses);
  const before = await site.latchkey(urlBefore, { program: older.program });
  const flags = ['--webhook-allow-networks', '127.0.0.1/32'];
  const { data, server: now } = await site.seeded(urlNow, licenses, { hasAdmin: true, flags });
  const idle = await idleCosts({ before, now }, effort.seconds * 10);
  const { deliveries } = await deliveryTimes(now, data, effort.rounds * 4);
  // In more and shorter rounds than elsewhere: the ratio of each round is what counts.
  const short = { ...effort, rounds: effort.rounds * 3, seconds: effort.seconds / 2 };
  const comparisons: Comparison[] = [];
  for (const operation of operations) {
    const contenders = [
      { name: names.before, server: before, workload: publicWorkloads(dataBefore)[operation], store: kind.mongod },
      { name: names.now, server: now, workload: publicWorkloads(data)[operation], store: kind.mongod },
    ];
    comparisons.push({ operation, contenders: await measure(contenders, short) });
  }
  const ofManyProducts = await deliveryTimesOfMany(now, data, effort.rounds * 2);
  await Promise.all([before.stop(), now.stop()]);
  const rates = await storeEvents(urlNow, kind.mongod);
  return { store: kind.store, operations: comparisons, idle, deliveries, ofManyProducts, rates };
}

async function idleCosts(
  { before, now }: Readonly<Record<'before' | 'now', Server>>,
  seconds: number,
): Promise<EventCosts['idle']> {
  await sleep(settlingTime);
  const [start, startNow] = [await before.cpu(), await now.cpu()];
  await sleep(seconds * 1000);
  const percent = (microseconds: number): number => microseconds / seconds / 10_000;
  return { before: percent((await before.cpu()) - start), now: percent((await now.cpu()) - startNow) };
}

function operationsTable(stores: readonly EventCosts[]): string {
  const rows = stores.flatMap(({ store, operations: comparisons }) =>
    comparisons.map(({ operation, contenders }) => {
      const [before, now] = [roundsOf(contenders, names.before), roundsOf(contenders, names.now)];
      const mongod = [before, now].map((rounds) => medianOf(rounds, 'storeCpu').toFixed(0)).join(', ');
      const hasServer = store === 'MongoDB';
      return { operation, store, before, now, mongod, hasServer };
    }),
  );
  return table(rows, [
    ['operation', ({ operation, store }) => `${operation} on ${store}`],
    ['before', ({ before }) => cpu(before)],
    ['with events', ({ now }) => cpu(now)],
    ['times', ({ now, before }) => ratioOf(now, before, 'cpu').toFixed(2)],
    ['aim', ({ operation }) => (operation === 'durable cancel' ? aims[operation] : '')],
    ['mongod before, with', ({ hasServer, mongod }) => (hasServer ? mongod : '')],
    ['times', ({ hasServer, now, before }) => (hasServer ? ratioOf(now, before, 'storeCpu').toFixed(2) : '')],
  ]);
}

function besideTable(stores: readonly EventCosts[]): string {
  const rows = stores.flatMap(({ store, idle, deliveries, ofManyProducts, rates }) => [
    rateRow(`sweep on ${store}`, rates.sweep),
    ...(rates.relay === null ? [] : [rateRow(`relay on ${store}`, rates.relay)]),
    [`idle service on ${store}`, `${(idle.now - idle.before).toFixed(2)} % of a core more`, aims.idle],
    [`request to webhook on ${store}`, ms(spreadOf(deliveries).median, 0), aims.delivery[store]],
    [
      `request to webhook of ${manyProducts} products on ${store}`,
      `${ms(spreadOf(ofManyProducts.deliveries).median, 0)}, added in ${ms(ofManyProducts.added, 0)}`,
      aims.ofManyProducts,
    ],
  ]);
  const headings = ['beside requests', 'figure', 'aim', 'CPU for an event', 'mongod for an event'];
  return table(
    rows,
    headings.map((heading, index) => [heading, (row) => row[index] ?? '']),
  );
}

function rateRow(name: string, { perSecond, cpu: own, storeCpu }: EventRate): readonly string[] {
  return [
    name,
    `${perSecond.toFixed(0)} events/s`,
    aims.rate,
    own.toFixed(0),
    storeCpu === 0 ? '' : storeCpu.toFixed(0),
  ];
}
