import { expect } from 'chai';
import { limitedPorts } from '../../../core/tenant/limited-ports.ts';
import type { DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import { aCall } from '../../support/builders.ts';
import { twoStores, type OpenedStore } from '../../support/stores/stores.ts';
import { limitedCall, resultOf } from '../../support/tenant/two-merchants.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

const owners = { mine: 'mine', other: 'other', all: null, none: undefined } as const;

type Owner = keyof typeof owners;

/**
 * Each owner of an endpoint, each addition that a stream can be of, and each product, with whether the stream belongs to a
 * caller of `mine`. A stream of an addition that has no endpoint belongs to its product.
 */
const rows: readonly (readonly [owner: Owner, addition: 'same' | 'another', product: string, isOwn: boolean])[] = [
  ['mine', 'same', 'mine', true],
  ['mine', 'another', 'mine', true],
  ['mine', 'another', 'other', false],
  ['all', 'same', 'mine', false],
  ['all', 'another', 'mine', true],
  ['all', 'same', 'other', false],
  ['other', 'same', 'other', false],
  ['other', 'same', 'mine', false],
  ['other', 'another', 'mine', true],
  ['none', 'another', 'mine', true],
  ['none', 'another', 'other', false],
];

const streamOf = ([owner, addition, productId]: (typeof rows)[number]): DeliveryStream =>
  aStream({ endpointId: `whk-${owner}`, addition, productId });

for (const { name, open } of twoStores) {
  describe(`the delivery streams of a limited caller, on the ${name} store`, () => {
    let store: OpenedStore;

    beforeEach(async () => {
      store = await open();
      for (const [owner, productId] of Object.entries(owners)) {
        const endpoint = { id: `whk-${owner}`, addition: 'same' };
        if (productId !== undefined) await store.webhookEndpoints.add(anEndpoint({ ...endpoint, productId }), aCall());
      }
    });

    afterEach(() => store.close());

    for (const row of rows) {
      const [owner, addition, productId, isOwn] = row;
      const stream = streamOf(row);
      const endpointIs =
        owner === 'none' ? 'without an endpoint' : `of ${addition} addition of the endpoint of ${owner}`;

      it(`a stream of ${productId} ${endpointIs} is ${isOwn ? 'its own' : 'unknown'}`, async () => {
        await store.deliveryStreams.add([stream], aCall());
        const { deliveryStreams } = limitedPorts(store);
        const call = limitedCall();
        expect(await deliveryStreams.find(stream, call)).to.deep.equal(isOwn ? stream : null);
        for (const endpointId of [stream.endpointId, null]) {
          expect(await deliveryStreams.page({ endpointId, after: null, limit: 9 }, call)).to.deep.equal(
            isOwn ? [stream] : [],
          );
          expect(await deliveryStreams.page({ endpointId, after: stream, limit: 9 }, call)).to.deep.equal([]);
        }
        const next = { ...stream, fence: stream.fence + 1 };
        const hidden = productId === 'mine' ? { kind: 'stale' } : { refused: 'limited_key', message: 'limited_key' };
        expect(await resultOf(() => deliveryStreams.replace(next, call))).to.deep.equal(
          isOwn ? { kind: 'replaced' } : hidden,
        );
        await deliveryStreams.remove([stream], call);
        expect(await store.deliveryStreams.find(stream, aCall())).to.deep.equal(isOwn ? null : stream);
      });

      it(`adds ${isOwn ? '' : 'no '}stream of ${productId} ${endpointIs}, with others or alone`, async () => {
        const { deliveryStreams } = limitedPorts(store);
        const own = aStream({ endpointId: 'whk-mine', addition: 'failed', productId: 'mine' });
        for (const streams of [[stream], [own, stream]]) {
          const added = await resultOf(() => deliveryStreams.add(streams, limitedCall()));
          expect(added).to.deep.equal(isOwn ? undefined : { refused: 'limited_key', message: 'limited_key' });
          const stored = await store.deliveryStreams.page({ endpointId: null, after: null, limit: 9 }, aCall());
          expect(stored).to.have.deep.members(isOwn ? streams : []);
          await store.deliveryStreams.remove(streams, aCall());
        }
      });
    }
  });
}
