import { expect } from 'chai';
import { Refusal } from '../../../core/refusal.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import {
  addWebhook,
  deleteWebhook,
  type AddedWebhook,
  type WebhookRequest,
} from '../../../core/webhook/add-webhook.ts';
import type { WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';
import { aCall, aSubscription, granted, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

const terms = { url: 'https://merchant.example/hooks', productId: null, types: null };

describe('addWebhook', () => {
  const store = freshStore(memory.open);
  let secrets = 0;
  let made = 0;
  const newSecret = (): string => `whsec_${(secrets += 1)}`;
  const newId = (): string => `new_${(made += 1)}`;

  const add = (request: Partial<WebhookRequest> = {}, over: Partial<StorePorts> = {}): Promise<AddedWebhook> => {
    const { webhookEndpoints: endpoints, deliveryStreams: streams, events, products } = { ...store(), ...over };
    const use = addWebhook({ endpoints, streams, events, products }, newId, newSecret);
    return use({ ...terms, id: 'whk_1', ...request }, aCall());
  };

  const addProducts = async (...ids: readonly string[]): Promise<void> => {
    for (const id of ids) await store().products.add({ id, name: id, createdAt: noon }, aCall());
  };

  const cursors = async (endpointId = 'whk_1'): Promise<readonly (readonly [string, number])[]> => {
    const page = await store().deliveryStreams.page({ endpointId, after: null, limit: 1000 }, aCall());
    return page.map(({ productId, cursor }) => [productId, cursor]);
  };

  beforeEach(() => {
    secrets = 0;
    made = 0;
  });

  it('adds an enabled endpoint, and returns its secret', async () => {
    const endpoint: WebhookEndpoint = {
      ...terms,
      id: 'whk_1',
      addition: 'new_1',
      secrets: [{ key: 'whsec_1', until: null }],
      state: 'enabled',
      reason: null,
      isPublicOnly: false,
      createdAt: noon,
      revision: 1,
    };
    expect(await add()).to.deep.equal({ endpoint, secret: 'whsec_1' });
    expect(await store().webhookEndpoints.find('whk_1', aCall())).to.deep.equal(endpoint);
  });

  it('makes an id if none is given', async () => {
    const { endpoint } = await add({ id: null });
    expect(endpoint.id).to.equal('new_1');
  });

  it('returns the known endpoint without its secret if the terms are the same, whatever their order', async () => {
    await addProducts('prod_1');
    const request = { productId: 'prod_1', types: ['license.revoked', 'entitlement.ended'] } as const;
    const { endpoint } = await add(request);
    const again = await add({ ...request, types: request.types.toReversed() });
    expect(again).to.deep.equal({ endpoint, secret: null });
  });

  it('adds nothing when it is repeated: a product that came later is delivered from its first event', async () => {
    await add();
    await addProducts('prod_1');
    await store().allEntitlements.add(granted([aSubscription({ sequence: 1 })]), aCall());
    await add();
    expect(await cursors()).to.deep.equal([]);
  });

  it('refuses the id of an endpoint on other terms', async () => {
    await addProducts('prod_1');
    const { endpoint } = await add({ types: ['license.revoked'] });
    const others: readonly Partial<WebhookRequest>[] = [
      { types: null },
      { types: ['entitlement.ended'] },
      { types: ['license.revoked'], productId: 'prod_1' },
      { types: ['license.revoked'], url: 'https://merchant.example/' },
    ];
    for (const other of others) expect((await refusalOf(add(other))).code).to.equal('webhook_exists');
    expect(await store().webhookEndpoints.find('whk_1', aCall())).to.deep.equal(endpoint);
  });

  it('refuses an unknown product, and stores nothing', async () => {
    expect((await refusalOf(add({ productId: 'prod_1' }))).code).to.equal('product_not_found');
    expect(await store().webhookEndpoints.find('whk_1', aCall())).to.equal(null);
    expect(await cursors()).to.deep.equal([]);
  });

  it('delivers what happens from now on, of its product or of all', async () => {
    await addProducts('prod_1', 'prod_2', 'prod_3');
    const entitlements = ['ent_1', 'ent_2'].map((id) => aSubscription({ id, sequence: 1 }));
    await store().allEntitlements.add(granted(entitlements), aCall());
    await add();
    await add({ id: 'whk_2', productId: 'prod_1' });
    const { deliveryStreams } = store();
    const first = aStream({ addition: 'new_1', cursor: 2 });
    expect(await deliveryStreams.find(first, aCall())).to.deep.equal(first);
    expect(await cursors()).to.deep.equal([
      ['prod_1', 2],
      ['prod_2', 0],
      ['prod_3', 0],
    ]);
    expect(await cursors('whk_2')).to.deep.equal([['prod_1', 2]]);
  });

  it('has a stream for each of more products than one read returns', async () => {
    const products = range(201).map((index) => `prod_${1000 + index}`);
    await addProducts(...products);
    await add();
    expect((await cursors()).map(([productId]) => productId)).to.deep.equal(products);
  });

  it('returns a secret to one of two that add the same endpoint at the same time', async () => {
    const added = await Promise.all([add(), add()]);
    expect(added.map(({ secret }) => secret)).to.have.members(['whsec_1', null]);
    expect(added[0].endpoint).to.deep.equal(added[1].endpoint);
  });

  const others = [
    ['has added another endpoint with its id', false],
    ['has added an endpoint with its id and removed it', true],
  ] as const;
  for (const [what, isRemoved] of others) {
    it(`refuses if another process ${what} meanwhile`, async () => {
      const { webhookEndpoints } = store();
      const endpoints = interposed(webhookEndpoints, async (method) => {
        if (method === 'add') await webhookEndpoints.add(anEndpoint(), aCall());
        else if (isRemoved) await webhookEndpoints.remove('whk_1', null, aCall());
      });
      expect((await refusalOf(add({}, { webhookEndpoints: endpoints }))).code).to.equal('webhook_exists');
    });
  }

  it('leaves no streams of the one of two that comes second, whatever its terms', async () => {
    await addProducts('prod_1', 'prod_2');
    const outcomes = await Promise.allSettled([add({ productId: 'prod_1' }), add({ productId: 'prod_2' })]);
    expect(outcomes.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
    const endpoint = await store().webhookEndpoints.find('whk_1', aCall());
    expect(await cursors()).to.deep.equal([[endpoint?.productId, 0]]);
  });

  it('removes the streams that an addition with the same id has left half-way', async () => {
    const products = range(450).map((index) => `prod_${1000 + index}`);
    await addProducts(...products);
    let added = 0;
    const failing = interposed(store().deliveryStreams, async (method) => {
      if (method === 'add' && (added += 1) === 3) throw new Refusal('store_unavailable');
    });
    expect((await refusalOf(add({}, { deliveryStreams: failing }))).code).to.equal('store_unavailable');
    expect(await cursors()).to.have.length(400);
    await add({ productId: 'prod_1007' });
    expect(await cursors()).to.deep.equal([['prod_1007', 0]]);
  });

  it('removes what others have left when it is repeated', async () => {
    await addProducts('prod_1');
    await add();
    await store().deliveryStreams.add([aStream({ addition: 'another' })], aCall());
    await refusalOf(add({ types: ['license.revoked'] }));
    expect(await cursors()).to.have.length(2);
    await add();
    expect(await cursors()).to.deep.equal([['prod_1', 0]]);
  });
});

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
