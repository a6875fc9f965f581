import { expect } from 'chai';
import { everyWebhook, listWebhooks, showWebhook } from '../../../core/webhook/show-webhooks.ts';
import { aCall } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

describe('the list of webhook endpoints', () => {
  const store = freshStore(memory.open);
  const all = range(401).map((index) => anEndpoint({ id: `whk_${1000 + index}` }));

  beforeEach(async () => {
    for (const endpoint of all.toReversed()) await store().webhookEndpoints.add(endpoint, aCall());
  });

  it('has a page by id after each cursor, and no cursor after the last', async () => {
    const list = listWebhooks(store().webhookEndpoints);
    const first = await list({ after: null, limit: 2 }, aCall());
    const second = await list({ after: first.next, limit: 399 }, aCall());
    expect([first.items, second.items, second.next]).to.deep.equal([all.slice(0, 2), all.slice(2), null]);
  });

  it('refuses a cursor of another list', async () => {
    const refused = await refusalOf(listWebhooks(store().webhookEndpoints)({ after: 'PWE', limit: 1 }, aCall()));
    expect(refused.code).to.equal('invalid_parameter');
  });

  it('is walked over in slices', async () => {
    expect(await Array.fromAsync(everyWebhook(store().webhookEndpoints)(aCall))).to.deep.equal(all);
  });
});

describe('a webhook endpoint that is shown', () => {
  const store = freshStore(memory.open);

  it('has the state of its deliveries for each product', async () => {
    const { deliveryStreams, webhookEndpoints } = store();
    await webhookEndpoints.add(anEndpoint({ productId: null }), aCall());
    for (const productId of ['prod_2', 'prod_1']) await deliveryStreams.add([aStream({ productId })], aCall());
    await deliveryStreams.add([aStream({ endpointId: 'whk_2' })], aCall());
    const show = showWebhook(webhookEndpoints, deliveryStreams);
    expect(await show('whk_1', aCall())).to.deep.equal({
      endpoint: anEndpoint({ productId: null }),
      streams: [aStream(), aStream({ productId: 'prod_2' })],
    });
    expect((await refusalOf(show('whk_2', aCall()))).code).to.equal('webhook_not_found');
  });
});
