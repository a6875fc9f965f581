import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { isRunning, WorkersProcess } from '../../support/processes/workers-process.ts';
import { range } from '../../support/range.ts';
import { isLeftOut } from '../../support/run/left-out.ts';
import { mongo, sqlite, type StoreAddress } from '../../support/stores/stores.ts';
import { beginVerify, statusOf } from './requests.ts';
import { Traffic } from './traffic.ts';

for (const [under, workers] of [[sqlite, 4], ...(isLeftOut('mongodb') ? [] : [[mongo, 2] as const])] as const) {
  describe(`a server of ${workers} workers on ${under.name} that ends`, function () {
    this.timeout(300_000);
    let store: StoreAddress;
    let server: WorkersProcess;
    const start = async (...flags: readonly string[]): Promise<void> => {
      server = await WorkersProcess.start(store.url, workers, ...flags);
    };

    beforeEach(async () => {
      store = await under.address();
    });
    afterEach(async () => {
      await server.kill();
      await store.remove();
    });

    it('answers on SIGTERM every request that has begun, then accepts none, and says that it stops', async () => {
      await start('--shutdown-notice', '0s', '--shutdown-deadline', '1h', '--request-timeout', '1h');
      const pids = server.workers();
      const begun = await Promise.all(range(4 * workers).map(() => beginVerify(server)));
      server.signal('SIGTERM');
      const refused = await eventually(
        () => statusOf(`${server.url}/livez`),
        (code) => code === 'ECONNREFUSED',
      );
      expect(refused).to.equal('ECONNREFUSED');
      expect(new Set(await Promise.all(begun.map((finish) => finish())))).to.deep.equal(new Set([200]));
      expect(await server.ended).to.deep.equal([0, null]);
      expect(pids.filter(isRunning)).to.deep.equal([]);
      expect(server.log().at(-1)).to.include({ message: 'stopped' });
    });

    it('says on both ports for the time of its notice that it stops, and still answers', async () => {
      await start('--shutdown-notice', '1h');
      server.signal('SIGTERM');
      await server.logs('stopping');
      for (const url of [server.url, server.adminUrl]) {
        const status = await eventually(
          () => statusOf(`${url}/readyz`),
          (code) => code === 503,
        );
        expect(status).to.equal(503);
      }
      const answers = await Promise.all(range(4 * workers).map(() => statusOf(`${server.url}/livez`)));
      expect(new Set(answers)).to.deep.equal(new Set([200]));
    });

    it('leaves no worker behind when its primary is killed, whatever they have not logged yet', async () => {
      await start();
      const pids = server.workers();
      const traffic = new Traffic(`${server.url}/api/marketplace/listings`, 2 * workers);
      await traffic.answers(100);
      await server.kill();
      const left = await eventually(
        async () => pids.filter(isRunning),
        (running) => running.length === 0,
      );
      expect(left).to.deep.equal([]);
      await traffic.stop();
    });
  });
}
