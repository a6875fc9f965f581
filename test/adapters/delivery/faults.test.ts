import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { MovedClock, TestDeliveries } from '../../support/webhooks/deliveries.ts';
import { Receiver } from '../../support/webhooks/receiver.ts';

describe('deliveries of which a part fails in the store', () => {
  const store = freshStore(memory.open);
  let receiver: Receiver;
  let attempts = 0;
  let isBroken = true;

  beforeEach(async () => {
    [attempts, isBroken] = [0, true];
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.close());

  const fail = (): void => {
    attempts += 1;
    if (isBroken) throw new Error('the disk is full');
  };
  const parts = {
    'reading the events': () => ({
      events: interposed(store().events, async (method, [productId]) => {
        if (method === 'page' && productId === 'prod_1') fail();
      }),
    }),
    'writing the stream': () => ({
      deliveryStreams: interposed(store().deliveryStreams, async (method, [stream]) => {
        if (method === 'replace' && (stream as { readonly productId: string }).productId === 'prod_1') fail();
      }),
    }),
  };
  for (const [what, broken] of Object.entries(parts)) {
    it(`try ${what} again with pauses, log it once, go on with the others, and end well`, async () => {
      const deliveries = new TestDeliveries({ ...store(), ...broken() }, new MovedClock(0), 5);
      for (const productId of ['prod_1', 'prod_2']) await deliveries.addProduct(productId);
      const { secret } = await deliveries.addWebhook(receiver.url, { productId: null });
      receiver.secrets = [secret ?? ''];
      deliveries.start();
      await deliveries.grantOf('prod_1', 'a');
      await eventually(
        async () => attempts,
        (count) => count >= 4,
      );
      await deliveries.grantOf('prod_2', 'b');
      const accepted = (): Promise<readonly unknown[]> =>
        eventually(
          async () => receiver.accepted.map(({ entitlementId }) => entitlementId),
          (ids) => ids.length === (isBroken ? 1 : 2),
        );
      expect(await accepted()).to.deep.equal(['b']);
      expect(deliveries.logged.filter(({ message }) => String(message).includes('interrupted'))).to.have.length(1);
      isBroken = false;
      expect(await accepted()).to.deep.equal(['b', 'a']);
      await deliveries.stop();
    });
  }
});
