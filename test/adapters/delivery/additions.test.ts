import { expect } from 'chai';
import { everyStream } from '../../../core/webhook/stored-streams.ts';
import { eventually } from '../../support/eventually.ts';
import { failing } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { freshStore, sqlite } from '../../support/stores/stores.ts';
import { MovedClock, TestDeliveries } from '../../support/webhooks/deliveries.ts';
import { Receiver } from '../../support/webhooks/receiver.ts';

const rounds = 20;

/** Endpoints are added in slices of 200 products, and so in three writes. */
const products = range(401).map((index) => `prod_${1000 + index}`);

const [own = '', other = ''] = products;

describe(`an endpoint that was added ${rounds} times`, () => {
  const store = freshStore(sqlite.open);
  let deliveries: TestDeliveries;
  const receivers: Receiver[] = [];

  beforeEach(() => {
    deliveries = new TestDeliveries(store(), new MovedClock(0), 5);
    deliveries.start();
  });
  afterEach(async () => {
    await deliveries.stop();
    for (const receiver of receivers.splice(0)) await receiver.close();
  });

  const newReceiver = async (): Promise<Receiver> => {
    const receiver = await Receiver.start();
    receivers.push(receiver);
    return receiver;
  };

  /** Adds an event to each product, that of the endpoint last, and expects only that one to be delivered. */
  const expectOnly = async (id: string, productId: string, receiver: Receiver): Promise<void> => {
    const [not] = [own, other].filter((each) => each !== productId);
    await deliveries.grantOf(not ?? '', `${id}-not`);
    await deliveries.grantOf(productId, `${id}-only`);
    const received = await eventually(
      async () => receiver.received.map(({ entitlementId }) => entitlementId),
      ({ length }) => length > 0,
    );
    expect(received).to.deep.equal([`${id}-only`]);
    const left = await Array.fromAsync(everyStream(store().deliveryStreams, id, () => deliveries.call()));
    expect(left.map((stream) => stream.productId)).to.deep.equal([productId]);
  };

  it('for two products at once has the events of one', async () => {
    for (const productId of [own, other]) await deliveries.addProduct(productId);
    for (const round of range(rounds)) {
      const [id, receiver] = [`whk_${round}`, await newReceiver()];
      const added = await Promise.allSettled(
        [own, other].map((productId) => deliveries.addWebhook(receiver.url, { id, productId })),
      );
      const winners = added.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
      expect(winners).to.have.length(1);
      receiver.secrets = winners.map(({ secret }) => secret ?? '');
      await expectOnly(id, winners[0]?.endpoint.productId ?? '', receiver);
      await deliveries.administration.deleteWebhook(id, deliveries.call());
    }
  });

  it('for all products, which failed half-way, and then for one has the events of that one', async () => {
    for (const productId of products) await deliveries.addProduct(productId);
    for (const round of range(rounds)) {
      const [id, receiver] = [`whk_${round}`, await newReceiver()];
      const when = round % 2 === 0 ? 'before' : 'after';
      const deliveryStreams = failing(store().deliveryStreams, { method: 'add', nth: 1 + (round % 3), when });
      const outage = new TestDeliveries({ ...store(), deliveryStreams }, new MovedClock(0));
      const failed = await Promise.allSettled([outage.addWebhook(receiver.url, { id, productId: null })]);
      expect(failed[0].status).to.equal('rejected');
      const { secret } = await deliveries.addWebhook(receiver.url, { id, productId: own });
      receiver.secrets = [secret ?? ''];
      await expectOnly(id, own, receiver);
      await deliveries.administration.deleteWebhook(id, deliveries.call());
    }
  });
});
