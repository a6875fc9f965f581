import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { startServerProcess } from '../support/processes/server-process.ts';
import { range } from '../support/range.ts';
import { durableStores, openAt } from '../support/stores/stores.ts';
import { MovedClock, TestDeliveries } from '../support/webhooks/deliveries.ts';
import { deliveryFlags } from '../support/webhooks/observed-endpoint.ts';
import { Receiver } from '../support/webhooks/receiver.ts';

/** The speed of the clock of the other process: the lease of 60 s that a killed server holds is over in 3 s. */
const speed = 20;

for (const { name, address } of durableStores) {
  describe(`a server and another process on ${name} that deliver to a webhook endpoint`, () => {
    const ends: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0).toReversed()) await end();
    });

    it('lose nothing when the server is killed', async () => {
      const fresh = await address();
      const { url } = fresh;
      ends.push(() => fresh.remove());
      const receiver = await Receiver.start();
      ends.push(() => receiver.close());
      const store = await openAt(url);
      ends.push(() => store.close());
      const setting = new TestDeliveries(store, new MovedClock(0));
      await setting.addProduct();
      const { secret } = await setting.addWebhook(receiver.url);
      receiver.secrets = [secret ?? ''];
      const server = await startServerProcess(url, { flags: deliveryFlags });
      ends.push(() => server.kill());
      const ids = range(20).map((index) => `ent_${index}`);
      await setting.grant(...ids);
      await eventually(
        async () => receiver.received.length,
        (count) => count > 0,
      );
      const other = new TestDeliveries(store, new MovedClock(0), speed);
      other.start();
      ends.push(() => other.stop());
      const killed = server.kill();
      for (const id of ids) await setting.change(id);
      await killed;
      const distinct = (): number => new Set(receiver.accepted.map(({ id }) => id)).size;
      const until = performance.now() + 500_000;
      while (distinct() < 40 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 200));
      const byId = new Map(receiver.accepted.map((one) => [one.id, one]));
      expect(byId.size).to.equal(40);
      for (const id of ids) {
        const own = [...byId.values()].filter(({ entitlementId }) => entitlementId === id);
        expect(own.map(({ sequence }) => sequence)).to.deep.equal([1, 2]);
      }
      expect(receiver.forged).to.deep.equal([]);
    });
  });
}
