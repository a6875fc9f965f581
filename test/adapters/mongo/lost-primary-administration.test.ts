import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { startServers, type Servers } from '../../support/mongo/mongod.ts';
import { membersReady, primaryOf } from '../../support/mongo/replica-set.ts';
import { startAdminServer, type AdminServerProcess } from '../../support/processes/admin-server-process.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { openAt, type OpenedStore } from '../../support/stores/stores.ts';
import { AdminTraffic } from '../../support/workload/admin-traffic.ts';
import {
  conversions,
  endsOf,
  fillTrialStore,
  keys,
  offerTrial,
  trialFlags,
  TrialTraffic,
} from '../../support/workload/buyers/trial-traffic.ts';

const ids = range(30).map((index) => `ent_of_operators_${index}`);

/** Milliseconds between two requests of a client, so that its changes last until the end. */
const interval = 1000;

/** Changes of operators, and devices that get a seat, before and after each kill. */
const [changes, devices] = [40, 4];

const kills = rounds(2, 3);

describe(`the administration and trials on a replica set of three that loses its primary ${kills} times`, () => {
  let mongods: Servers;
  let store: OpenedStore;
  let services: readonly AdminServerProcess[] = [];
  const administration = new AdminTraffic(
    keys.operatorKey,
    ids,
    () => services.map(({ adminUrl }) => adminUrl),
    interval,
  );
  const trials = new TrialTraffic(() => services.map(({ url }) => url));
  /** The devices that had been tried when the members were ready again. */
  let earlier: ReadonlySet<string> = new Set();

  before(async () => {
    mongods = await startServers(3);
    const url = mongods.url('latchkey');
    await fillTrialStore(url, ids);
    store = await openAt(url);
    await offerTrial(store);
    services = [await startAdminServer(url, trialFlags), await startAdminServer(url, trialFlags)];
    const clients = Promise.all([administration.run(), trials.run()]);
    const progress = (): Promise<unknown> =>
      Promise.race([Promise.all([administration.progress(changes), trials.progress(devices)]), clients]);
    for (const _ of range(kills)) {
      await progress();
      const primary = await primaryOf(mongods);
      await pause(Math.random() * 20);
      await primary.signal('KILL');
      await progress();
      await primary.start();
      await membersReady(mongods);
    }
    earlier = new Set(trials.times.keys());
    await trials.progress(devices);
    administration.stop();
    trials.stop();
    await clients;
  });
  after(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await store.close();
    await mongods.end();
  });

  it('loses no acknowledged change and its history, and repeats none', async () => {
    expect(await administration.violations()).to.deep.equal([]);
  });

  it('stores one start and one end of each trial', async () => {
    const { told, stored } = await endsOf(store, trials);
    expect(told).to.deep.equal(stored);
  });

  it('converts trials where no primary was lost, and others to nothing else', async () => {
    const all = await conversions(store, trials);
    const calm = [...trials.seated].filter((deviceId) => !earlier.has(deviceId));
    expect(calm.map((deviceId) => all.get(deviceId))).to.deep.equal(calm.map(() => 'ent_1'));
    expect(calm).not.to.deep.equal([]);
    expect([...new Set(all.values())].filter((id) => id !== undefined)).to.deep.equal(['ent_1']);
  });
});
