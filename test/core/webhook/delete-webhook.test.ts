import { expect } from 'chai';
import { deleteWebhook } from '../../../core/webhook/delete-webhook.ts';
import { aCall } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

describe('deleteWebhook', () => {
  const store = freshStore(memory.open);
  const streamsLeft = async (): Promise<readonly (readonly string[])[]> => {
    const page = await store().deliveryStreams.page({ endpointId: null, after: null, limit: 1000 }, aCall());
    return page.map(({ endpointId, addition, productId }) => [endpointId, addition, productId]);
  };

  it('deletes an endpoint with all of its streams, and no others', async () => {
    for (const id of ['a', 'a-b', 'a.b', 'ab']) {
      await store().webhookEndpoints.add(anEndpoint({ id }), aCall());
      await store().deliveryStreams.add([aStream({ endpointId: id })], aCall());
    }
    const many = range(450).map((index) => aStream({ endpointId: 'a', productId: `prod_${1000 + index}` }));
    await store().deliveryStreams.add(many, aCall());
    const remove = deleteWebhook(store().webhookEndpoints, store().deliveryStreams);
    expect([await remove('a', aCall()), await remove('a', aCall())]).to.deep.equal([true, false]);
    expect((await streamsLeft()).map(([id]) => id)).to.have.members(['a-b', 'a.b', 'ab']);
  });

  it('removes what was left of an endpoint that does not exist', async () => {
    await store().deliveryStreams.add([aStream({ addition: 'add_1' }), aStream({ addition: 'add_2' })], aCall());
    const remove = deleteWebhook(store().webhookEndpoints, store().deliveryStreams);
    expect(await remove('whk_1', aCall())).to.equal(false);
    expect(await streamsLeft()).to.deep.equal([]);
  });

  it('leaves the streams of an endpoint that is added with the same id meanwhile', async () => {
    await store().webhookEndpoints.add(anEndpoint(), aCall());
    await store().deliveryStreams.add([aStream()], aCall());
    const streams = interposed(store().deliveryStreams, async (method) => {
      if (method === 'page') await store().deliveryStreams.add([aStream({ addition: 'add_2' })], aCall());
    });
    expect(await deleteWebhook(store().webhookEndpoints, streams)('whk_1', aCall())).to.equal(true);
    expect(await streamsLeft()).to.deep.equal([['whk_1', 'add_2', 'prod_1']]);
  });
});
