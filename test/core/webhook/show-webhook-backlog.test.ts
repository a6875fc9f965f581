import { expect } from 'chai';
import { subjectOf } from '../../../core/feed/logged-event.ts';
import {
  findLastAttempts,
  showWebhookBacklog,
  type WebhookBacklog,
} from '../../../core/webhook/show-webhook-backlog.ts';
import { showWebhook } from '../../../core/webhook/show-webhooks.ts';
import type { DeliveryAttempt } from '../../../core/webhook/stream/delivery-attempt.ts';
import { aCall, aSubscription, granted, later, noon } from '../../support/builders.ts';
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

  it('has the last attempts of all products, the newest first, with the events that are kept', async () => {
    const { allEntitlements, events } = store();
    await allEntitlements.add(granted([aSubscription({ id: 'ent_0', sequence: 1 })]), aCall());
    const [placed] = (await events.page('prod_1', 0, 1, aCall())).events;
    const attempt = { status: 503, reason: null, durationMs: 88 };
    const known = { ...attempt, at: later(1), position: 1, eventId: placed?.event.id ?? '' };
    const other = { ...attempt, at: later(2), position: 1, eventId: 'evt_of-another-log' };
    const many = range(30).map((index) => ({ ...attempt, at: later(3 + index), position: 9, eventId: `evt_${index}` }));
    const find = findLastAttempts(events);
    const found = await find(backlogOf([known, other]), aCall());
    expect(found.map(({ attempt: { eventId }, event }) => [eventId, event && subjectOf(event)])).to.deep.equal([
      ['evt_of-another-log', null],
      [known.eventId, 'ent_0'],
    ]);
    const newest = await find(backlogOf([known], many), aCall());
    expect([newest.length, newest[0]?.attempt.eventId]).to.deep.equal([20, 'evt_29']);
  });
});

/** The backlog of an endpoint with a stream for each list of attempts. */
function backlogOf(...attempts: readonly (readonly DeliveryAttempt[])[]): WebhookBacklog {
  const streams = attempts.map((own, index) => ({
    stream: aStream({ productId: `prod_${index + 1}`, attempts: own }),
    waiting: 0,
    parked: 0,
  }));
  return { endpoint: anEndpoint(), streams };
}
