import { expect } from 'chai';
import { putTier } from '../../core/tier/manage-tiers.ts';
import { termsOf } from '../../core/tier/tier.ts';
import { aCall, aProduct, day } from '../support/builders.ts';
import { floodOfTrials, floods, floodServer } from '../support/flood/flooded-server.ts';
import { startServerProcess, type ServerProcess } from '../support/processes/server-process.ts';
import { countingIds } from '../support/random-entitlements.ts';
import { openAt, sqlite, type OpenedStore, type StoreAddress } from '../support/stores/stores.ts';
import { signUpsIn } from '../support/stores/whole-lists.ts';

/** The default heap of Node where compose.yaml allows 1 GB of memory, whatever this machine has. */
const heap = '--max-old-space-size=512';

// Probes wait on a busy machine.
const flags = ['--headers-timeout', '60s', '--request-timeout', '60s'];

/** Connections of a proxy have no limit of their own, so only the addresses that it names count. */
const proxyFlags = [...flags, '--trusted-proxies', 'loopback'];

const firstOfAll = { productId: 'prod_1', entitlementId: null, after: null, limit: 1 };

const withStripe = { STRIPE_API_KEY: 'sk_test_of_the_flood_test', STRIPE_WEBHOOK_SECRET: `whsec_${'flood'.repeat(8)}` };

/**
 * Those that one server has one after another. That of signed events comes closest to its maximum, so it has a server of its
 * own, and so has that of a proxy, which the server must trust.
 */
const groups = [
  { from: 'clients', flags, floods: floods.slice(0, -1) },
  { from: 'clients that seem to be Stripe', flags, floods: floods.slice(-1) },
  { from: 'a proxy', flags: proxyFlags, floods: [floodOfTrials] },
];

for (const { from, flags: own, floods: all } of groups) {
  describe(`a server that is flooded by ${from}`, function () {
    this.timeout(600_000);
    let address: StoreAddress;
    let store: OpenedStore;
    let server: ServerProcess;

    before(async () => {
      address = await sqlite.address();
      store = await openAt(address.url);
      await offerTrial(store);
      server = await startServerProcess(address.url, { flags: own, env: { NODE_OPTIONS: heap, ...withStripe } });
    });
    after(async () => {
      await server.kill();
      await store.close();
      await address.remove();
    });

    for (const each of all) {
      it(`with ${each.name} keeps its memory, answers every probe and loses no sign-up`, async () => {
        const { memory, probes, failed, acknowledged } = await floodServer(server, each);
        expect(failed).to.deep.equal([]);
        expect(probes).to.be.greaterThan(1);
        expect(memory).to.be.below(each.maxMemory);
        const trials = await store.trials.page(firstOfAll, aCall());
        expect(trials.length > 0).to.equal(each === floodOfTrials);
        const kept = new Set((await signUpsIn(store)).map(({ email }) => email));
        expect(acknowledged).not.to.deep.equal([]);
        expect(acknowledged.filter((email) => !kept.has(email))).to.deep.equal([]);
      });
    }
  });
}

async function offerTrial({ products, tiers }: OpenedStore): Promise<void> {
  await products.add(aProduct({ id: 'prod_1' }), aCall());
  await putTier(tiers, products, countingIds())(
    { productId: 'prod_1', id: 'pro' },
    termsOf({ trial: 14 * day }),
    aCall(),
  );
}
