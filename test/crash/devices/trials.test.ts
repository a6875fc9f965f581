import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { startServers, type Servers } from '../../support/mongo/mongod.ts';
import { membersReady, primaryOf } from '../../support/mongo/replica-set.ts';
import { startServerProcess, type ServerProcess } from '../../support/processes/server-process.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { durableStores, openAt, type OpenedStore, type StoreAddress } from '../../support/stores/stores.ts';
import {
  fillTrialStore,
  offerTrial,
  timesOf,
  trialFlags,
  trialsIn,
  TrialTraffic,
} from '../../support/workload/trial-traffic.ts';

const kills = rounds(2, 20);
const processes = 4;

/** Devices that get a seat between two kills. */
const devices = 6;

const startServer = (url: string): Promise<ServerProcess> => startServerProcess(url, { flags: trialFlags });

async function expectOneEndEach(traffic: TrialTraffic, store: OpenedStore): Promise<void> {
  const stored = await trialsIn(store, traffic.times.keys());
  const told = [...traffic.times].map(([deviceId, times]) => [deviceId, [...times]]);
  expect(told).to.deep.equal([...stored].map(([deviceId, trial]) => [deviceId, [timesOf(trial)]]));
}

/** Which entitlement the trial of each device became. */
async function conversions(store: OpenedStore, traffic: TrialTraffic): Promise<ReadonlyMap<string, unknown>> {
  const stored = await trialsIn(store, traffic.times.keys());
  return new Map([...stored].map(([deviceId, trial]) => [deviceId, trial?.converted?.entitlementId]));
}

for (const { name, address } of durableStores) {
  describe(`trials on ${name}, asked of ${processes} servers of which one after another is killed`, () => {
    let at: StoreAddress;
    let store: OpenedStore;
    let servers: ServerProcess[] = [];
    const traffic = new TrialTraffic(() => servers.map(({ url }) => url));

    before(async () => {
      at = await address();
      await fillTrialStore(at.url);
      store = await openAt(at.url);
      await offerTrial(store);
      servers = await Promise.all(range(processes).map(() => startServer(at.url)));
      const running = traffic.run();
      for (const kill of range(kills)) {
        await traffic.progress(devices);
        await pause(Math.random() * 20);
        await servers[kill % processes]?.kill();
        servers[kill % processes] = await startServer(at.url);
      }
      await traffic.progress(devices);
      traffic.stop();
      await running;
    });
    after(async () => {
      await Promise.all(servers.map((server) => server.kill()));
      await store.close();
      await at.remove();
    });

    it('have one start and one end each, which are stored', () => expectOneEndEach(traffic, store));

    it('are converted where the seat was acknowledged, however many devices replace each other', async () => {
      const all = await conversions(store, traffic);
      const converted = [...traffic.seated].map((deviceId) => all.get(deviceId));
      expect(converted).to.deep.equal(converted.map(() => 'ent_1'));
      expect(converted.length).to.be.at.least(devices * (kills + 1));
    });
  });
}

describe('trials on a replica set of three that loses its primary while devices start', () => {
  let mongods: Servers;
  let store: OpenedStore;
  let servers: readonly ServerProcess[] = [];
  const traffic = new TrialTraffic(() => servers.map(({ url }) => url));
  /** The devices that had a seat when the members were ready again. */
  let earlier: ReadonlySet<string> = new Set();

  before(async () => {
    mongods = await startServers(3);
    const url = mongods.url('latchkey');
    await fillTrialStore(url);
    store = await openAt(url);
    await offerTrial(store);
    servers = await Promise.all(range(2).map(() => startServer(url)));
    const running = traffic.run();
    for (const _ of range(rounds(1, 10))) {
      await traffic.progress(devices);
      const primary = await primaryOf(mongods);
      await pause(Math.random() * 20);
      await primary.signal('KILL');
      await traffic.progress(devices);
      await primary.start();
      await membersReady(mongods);
    }
    earlier = new Set(traffic.times.keys());
    await traffic.progress(devices);
    traffic.stop();
    await running;
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await store.close();
    await mongods.end();
  });

  it('have one start and one end each, which are stored', () => expectOneEndEach(traffic, store));

  it('are converted where no primary was lost, and elsewhere to nothing else', async () => {
    const all = await conversions(store, traffic);
    const calm = [...traffic.seated].filter((deviceId) => !earlier.has(deviceId));
    expect(calm.map((deviceId) => all.get(deviceId))).to.deep.equal(calm.map(() => 'ent_1'));
    expect(calm).not.to.deep.equal([]);
    expect([...new Set(all.values())].filter((id) => id !== undefined)).to.deep.equal(['ent_1']);
  });
});
