import { expect } from 'chai';
import { floods, floodServer } from '../support/flood/flooded-server.ts';
import { startServerProcess, type ServerProcess } from '../support/processes/server-process.ts';
import { openAt, sqlite } from '../support/stores/stores.ts';
import { signUpsIn } from '../support/stores/whole-lists.ts';

/** What Node takes by itself where compose.yaml allows 1 GB of memory, whatever this machine has. */
const heap = '--max-old-space-size=512';

const withStripe = { STRIPE_API_KEY: 'sk_test_of_the_flood_test', STRIPE_WEBHOOK_SECRET: `whsec_${'flood'.repeat(8)}` };

describe('a server that is flooded', function () {
  this.timeout(600_000);
  for (const each of floods) {
    it(`with ${each.name} keeps its memory, answers every probe and loses no sign-up`, async () => {
      const address = await sqlite.address();
      const server: ServerProcess = await startServerProcess(address.url, {
        flags: ['--headers-timeout', '60s', '--request-timeout', '60s'], // probes wait on a busy machine
        env: { NODE_OPTIONS: heap, ...withStripe },
      });
      try {
        const { memory, probes, failed, acknowledged } = await floodServer(server, each);
        expect(failed).to.deep.equal([]);
        expect(probes).to.be.greaterThan(1);
        expect(memory).to.be.below(each.maxMemory);
        const store = await openAt(address.url);
        const kept = new Set((await signUpsIn(store)).map(({ email }) => email));
        await store.close();
        expect(acknowledged).not.to.deep.equal([]);
        expect(acknowledged.filter((email) => !kept.has(email))).to.deep.equal([]);
      } finally {
        await server.kill();
        await address.remove();
      }
    });
  }
});
