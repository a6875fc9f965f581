import { expect } from 'chai';
import { rounds } from '../support/run/long-runs.ts';
import { eventsIn } from '../support/stores/event-log.ts';
import { fillStore } from '../support/stores/filled-store.ts';
import { durableStores, openAt } from '../support/stores/stores.ts';
import { freshWorkers } from '../support/workers/fresh-workers.ts';
import { eventViolations } from '../support/workload/event-history.ts';
import { violations } from '../support/workload/history.ts';
import { HttpTraffic } from '../support/workload/http-traffic.ts';

const appKey = 'svc_sk_live_of-the-crash-test-of-workers';
const ids = ['ent_1', 'ent_2', 'ent_3'];
const kills = rounds(1, 10);
const workers = 2;

for (const under of durableStores) {
  describe(`${workers} workers on ${under.name}, of which one is killed ${kills} times at random moments`, () => {
    const server = freshWorkers(under, workers, { fill: (storeUrl) => fillStore(storeUrl, appKey, ids) });

    it('lose no acknowledged change, carry out no request twice, and have one event for each change', async () => {
      const traffic = new HttpTraffic(appKey, ids, () => [server().url]);
      const before = await traffic.read();
      const clients = traffic.run();
      for (let kill = 1; kill <= kills; kill += 1) {
        traffic.hurry(true);
        await Promise.race([traffic.progress(10 + Math.random() * 50), clients]);
        process.kill(server().worker(Math.floor(Math.random() * workers)), 'SIGKILL');
        traffic.hurry(false);
        await server().listened(workers + kill);
      }
      traffic.stop();
      await clients;
      await traffic.repeatAll();
      const history = { before, attempts: traffic.attempts, after: await traffic.read() };
      expect(violations(history)).to.deep.equal([]);
      const stored = await openAt(server().storeUrl);
      await stored.settle();
      expect(eventViolations(history, await eventsIn(stored))).to.deep.equal([]);
      await stored.close();
    });
  });
}
