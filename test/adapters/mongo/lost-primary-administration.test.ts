import { expect } from 'chai';
import { startServers, type Servers } from '../../support/mongo/mongod.ts';
import { membersReady, primaryOf } from '../../support/mongo/replica-set.ts';
import {
  fillAdminStore,
  startAdminServer,
  type AdminServerProcess,
} from '../../support/processes/admin-server-process.ts';
import { range } from '../../support/range.ts';
import { AdminTraffic } from '../../support/workload/admin-traffic.ts';

const operatorKey = 'svc_op_live_of-the-test-of-lost-primaries';
const ids = range(60).map((index) => `ent_${index}`);

/** Milliseconds between two requests of a client, so that its changes last until the end. */
const interval = 500;

describe('the administration on a replica set of three that loses its primary', () => {
  let mongods: Servers;
  let services: readonly AdminServerProcess[] = [];

  before(async () => {
    mongods = await startServers(3);
  });
  after(() => mongods.end());

  beforeEach(async () => {
    const url = mongods.url(`latchkey-${crypto.randomUUID()}`);
    await fillAdminStore(url, operatorKey, ids);
    services = [await startAdminServer(url), await startAdminServer(url)];
  });
  afterEach(() => Promise.all(services.map((service) => service.kill())));

  it('loses no acknowledged change and its history in three kills, and repeats none', async () => {
    const traffic = new AdminTraffic(operatorKey, ids, () => services.map(({ adminUrl }) => adminUrl), interval);
    const clients = traffic.run();
    for (let kill = 0; kill < 3; kill += 1) {
      await Promise.race([traffic.progress(100), clients]);
      const primary = await primaryOf(mongods);
      await primary.signal('KILL');
      await Promise.race([traffic.progress(100), clients]);
      await primary.start();
      await membersReady(mongods);
    }
    traffic.stop();
    await clients;
    expect(await traffic.violations()).to.deep.equal([]);
  });
});
