import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import {
  fillAdminStore,
  startAdminServer,
  type AdminServerProcess,
} from '../support/processes/admin-server-process.ts';
import { range } from '../support/range.ts';
import { rounds } from '../support/run/long-runs.ts';
import { sqlite, type StoreAddress } from '../support/stores/stores.ts';
import { AdminTraffic } from '../support/workload/admin-traffic.ts';

const operatorKey = 'svc_op_live_of-the-crash-test';
const ids = range(12).map((index) => `ent_${index}`);
const kills = rounds(3, 20);

describe('a server with administration that is killed at random moments', () => {
  let store: StoreAddress;
  let server: AdminServerProcess | null = null;

  beforeEach(async () => {
    store = await sqlite.address();
    await fillAdminStore(store.url, operatorKey, ids);
  });

  afterEach(async () => {
    await server?.kill();
    server = null;
    await store.remove();
  });

  it('loses no acknowledged change and its history, and repeats none', async () => {
    const traffic = new AdminTraffic(operatorKey, ids, () => [server?.adminUrl ?? 'http://127.0.0.1:1']);
    server = await startAdminServer(store.url);
    const clients = traffic.run();
    for (let kill = 0; kill < kills; kill += 1) {
      await Promise.race([traffic.progress(10 + Math.random() * 25), clients]);
      await pause(Math.random() * 10);
      await server.kill();
      server = await startAdminServer(store.url);
    }
    traffic.stop();
    await clients;
    expect(await traffic.violations()).to.deep.equal([]);
    expect(traffic.unknown).to.be.at.least(kills);
  });
});
