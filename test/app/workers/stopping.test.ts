import { Agent } from 'node:http';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { WorkersProcess } from '../../support/processes/workers-process.ts';
import { range } from '../../support/range.ts';
import { isLeftOut } from '../../support/run/left-out.ts';
import { mongo, sqlite } from '../../support/stores/stores.ts';
import { isRunning, statusOf } from './requests.ts';

describe('a server of several workers that ends', function () {
  this.timeout(300_000);

  for (const under of [sqlite, ...(isLeftOut('mongodb') ? [] : [mongo])]) {
    for (const workers of [2, 4]) {
      it(`${workers} workers on ${under.name} end with their primary, whatever they have not logged yet`, async () => {
        const store = await under.address();
        const server = await WorkersProcess.start(store.url, workers);
        const pids = await server.workers();
        await Promise.all(range(4 * workers).map(() => statusOf(`${server.url}/livez`)));
        await server.kill();
        const left = await eventually(
          async () => pids.filter(isRunning),
          (running) => running.length === 0,
        );
        expect(left).to.deep.equal([]);
        await store.remove();
      });

      it(`${workers} workers on ${under.name} finish their requests on SIGTERM, and say that they stop`, async () => {
        const store = await under.address();
        const server = await WorkersProcess.start(store.url, workers, '--shutdown-notice', '5s');
        const pids = await server.workers();
        const clients = new Clients(`${server.url}/api/marketplace/listings`);
        await eventually(
          async () => clients.statuses.length,
          (length) => length > 50,
        );
        server.signal('SIGTERM');
        await server.logs('stopping');
        const ready = await Promise.all(
          [`${server.url}/readyz`, `${server.adminUrl}/readyz`].map((url) => statusOf(url)),
        );
        expect(ready).to.deep.equal([503, 503]);
        await clients.stop();
        expect(new Set(clients.statuses)).to.deep.equal(new Set([200]));
        expect(await server.ended).to.deep.equal([0, null]);
        expect(pids.filter(isRunning)).to.deep.equal([]);
        expect(server.log().at(-1)).to.include({ message: 'stopped' });
        await store.remove();
      });
    }
  }
});

/** Clients that send one request after the other, on connections that stay open. */
class Clients {
  /** The status of each answer, or the code of an error. */
  readonly statuses: (number | string)[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #running: Promise<unknown>;
  #isStopped = false;

  constructor(url: string) {
    this.#running = Promise.all(range(8).map(() => this.#run(url)));
  }

  /** Lets each of them end its request. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
    this.#agent.destroy();
  }

  async #run(url: string): Promise<void> {
    while (!this.#isStopped) this.statuses.push(await statusOf(url, this.#agent));
  }
}
