import { expect } from 'chai';
import { openStore } from '../../../app/stores/open-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../testing/stripe/start-fake-stripe.ts';
import { aCall, noon } from '../../support/builders.ts';
import { TestService } from '../../support/http/test-service.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { durableStores, type StoreAddress } from '../../support/stores/stores.ts';
import { sellAtStripe, sellingAt } from '../../support/stripe/stripe-sales.ts';

for (const store of durableStores) {
  describe(`the events of Stripe at two servers on one ${store.name} store`, () => {
    let shop: FakeStripe;
    let address: StoreAddress;
    let servers: readonly TestService[];

    beforeEach(async () => {
      shop = await fakeStripe({ clock: { now: () => noon } });
      shop.addPrice({ id: 'price_pro' });
      address = await store.emptyAddress();
      const open = async (): Promise<TestService> =>
        TestService.start(
          await openStore(address.url, { create: true }, retentionFor(defaultTtl), aCall()),
          sellingAt(shop),
        );
      const first = await openStore(address.url, { create: true }, retentionFor(defaultTtl), aCall());
      await sellAtStripe(first.ports);
      await first.close();
      servers = [await open(), await open()];
      for (const { url } of servers) shop.addEndpoint({ url: `${url}/hooks/stripe` });
    });
    afterEach(async () => {
      for (const server of servers) await server.stop();
      await shop.stop();
      await address.remove();
    });

    it('grant each sale once, however often and in which order they come', async () => {
      shop.pauseDeliveries();
      const sales = await Promise.all(range(rounds(2, 5)).map(() => shop.subscribe({ price: 'price_pro' })));
      for (const { subscription } of sales) await shop.cancel(subscription);
      const events = [...shop.events, ...shop.events.toReversed()];
      await Promise.all([shop.deliver(events), shop.deliver(events.toReversed())]);
      const stored = (await servers[0]?.stored()) ?? [];
      expect(stored.map(({ id }) => id).toSorted()).to.deep.equal(sales.map((sale) => sale.subscription).toSorted());
      for (const entitlement of stored) {
        expect(entitlement).to.have.property('version').that.is.at.most(2);
        expect(entitlement).to.have.property('cancellation').that.is.not.equal(null);
      }
    });
  });
}
