import { expect } from 'chai';
import { showWebhookBacklog } from '../../../core/webhook/show-webhook-backlog.ts';
import { showWebhook } from '../../../core/webhook/show-webhooks.ts';
import { aCall, aSubscription, granted, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

describe('the backlog of one endpoint', () => {
  const store = freshStore(memory.open);

  it('counts for each product what was read and what was not, and apart from it what is parked', async () => {
    const { allEntitlements, deliveryStreams, events, webhookEndpoints } = store();
    for (const index of range(5)) {
      const entitlement = aSubscription({ id: `ent_${index}`, sequence: 1 });
      await allEntitlements.add(granted([entitlement]), aCall());
    }
    const pending = new Map([
      ['ent_0', { positions: [1], attempt: 10, at: null }],
      ['ent_1', { positions: [2], attempt: 1, at: noon }],
    ]);
    const streams = [aStream({ cursor: 3, pending }), aStream({ productId: 'prod_2' })];
    await webhookEndpoints.add(anEndpoint({ productId: null }), aCall());
    await deliveryStreams.add(streams, aCall());
    const show = showWebhookBacklog(showWebhook(webhookEndpoints, deliveryStreams), events);
    const shown = await show('whk_1', aCall());
    expect(shown.endpoint.id).to.equal('whk_1');
    expect(shown.streams.map(({ stream: { productId }, ...counts }) => ({ productId, ...counts }))).to.deep.equal([
      { productId: 'prod_1', waiting: 3, parked: 1 },
      { productId: 'prod_2', waiting: 0, parked: 0 },
    ]);
  });
});
