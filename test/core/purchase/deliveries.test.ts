import { expect } from 'chai';
import { outgoing } from '../../../core/billing/outgoing-stream.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import { mailing } from '../../../core/mail/mailing.ts';
import {
  deliveriesOf,
  deliveryByMail,
  deliveryToStripe,
  type EventDelivery,
} from '../../../core/purchase/deliveries.ts';
import type { DeliveryAttempt } from '../../../core/webhook/stream/delivery-attempt.ts';
import { newStream, streamName, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import type { WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';
import { later, noon } from '../../support/builders.ts';
import { anEndpoint, aStream, placed } from '../../support/webhooks/builders.ts';

const event = placed(5, 'ent_1');

function attempt(status: number, at: Date, eventId = 'evt_5'): DeliveryAttempt {
  return { at, position: 5, eventId, status, reason: null, durationMs: 88 };
}

/** The delivery of the event to one endpoint. */
function delivery(
  stream: Partial<DeliveryStream> | null,
  endpoint: Partial<WebhookEndpoint> = {},
): Omit<EventDelivery, 'endpoint'> | undefined {
  const receiver = {
    endpoint: anEndpoint({ createdAt: later(-1000), types: null, ...endpoint }),
    stream: stream === null ? null : aStream({ cursor: 5, ...stream }),
  };
  const [found] = deliveriesOf(event, [receiver]);
  if (found === undefined) return undefined;
  const { endpoint: _, ...rest } = found;
  return rest;
}

const pending = (positions: readonly number[], at: Date | null): Pick<DeliveryStream, 'pending'> => ({
  pending: new Map([['ent_1', { positions, attempt: 1, at }]]),
});

describe('what became of an event at an endpoint', () => {
  it('is delivered once it was read and does not wait any more, with its last attempt', () => {
    const none = { attempt: null, nextAt: null };
    expect(delivery({})).to.deep.equal({ ...none, state: 'delivered' });
    const attempts = [attempt(204, later(2)), attempt(503, later(1)), attempt(500, later(3), 'evt_6')];
    expect(delivery({ attempts })).to.deep.equal({ ...none, state: 'delivered', attempt: attempts[0] });
  });

  it('waits until it was read, and for its next attempt', () => {
    const waiting = { state: 'waiting', attempt: null, nextAt: null };
    expect(delivery(null)).to.deep.equal(waiting);
    expect(delivery({ cursor: 4 })).to.deep.equal(waiting);
    const attempts = [attempt(503, noon)];
    const first = { ...waiting, attempt: attempts[0], nextAt: later(5) };
    expect(delivery({ ...pending([5, 8], later(5)), attempts })).to.deep.equal(first);
    expect(delivery(pending([3, 5], later(5)))).to.deep.equal(waiting);
  });

  it('waits for the next probe of an endpoint that is down, and for nothing at one that is disabled', () => {
    const probe = { attempt: 2, at: later(9) };
    const state = { state: 'waiting', attempt: null };
    expect(delivery({ ...pending([5], later(5)), probe })).to.deep.equal({ ...state, nextAt: later(9) });
    expect(delivery(pending([5], later(5)), { state: 'disabled' })).to.deep.equal({ ...state, nextAt: null });
  });

  it('has failed once it waits for a manual retry', () => {
    const attempts = [attempt(500, noon)];
    const failed = { state: 'failed', attempt: attempts[0], nextAt: null };
    expect(delivery({ ...pending([5], null), attempts })).to.deep.equal(failed);
  });

  it('is nothing at an endpoint of other types, and at one that was added later', () => {
    expect(delivery({}, { types: ['license.rotated'] })).to.equal(undefined);
    expect(delivery({}, { createdAt: later(1000) })).to.equal(undefined);
    const attempts = [attempt(204, later(2000))];
    expect(delivery({ attempts }, { createdAt: later(1000) })?.state).to.equal('delivered');
  });
});

/** The stream of a receiver of the service that has read the event of `sub_1`, with the answer to it. */
function own(receiver: WebhookEndpoint, answer: Partial<DeliveryAttempt> | null, more: Partial<DeliveryStream> = {}) {
  const attempts = answer === null ? [] : [{ ...attempt(0, later(1)), status: null, ...answer }];
  return { ...newStream(streamName(receiver, 'prod_1'), 5), attempts, ...more };
}

const ofSale = (at: Date | null): Pick<DeliveryStream, 'pending'> => ({
  pending: new Map([['sub_1', { positions: [5], attempt: 1, at }]]),
});

describe('what became of a change at Stripe', () => {
  const change = placed(5, 'sub_1', { type: 'entitlement.suspended', by: 'operator:opk_1' });
  const states = (...answers: readonly Partial<DeliveryAttempt>[]) =>
    answers.map((answer) => deliveryToStripe(change, own(outgoing, answer))?.state ?? null);

  it('waits, or is parked for a person', () => {
    const failed = own(outgoing, { status: 503 }, ofSale(later(9)));
    expect(deliveryToStripe(change, failed)).to.deep.equal({
      state: 'waiting',
      attempt: failed.attempts[0],
      nextAt: later(9),
    });
    expect(deliveryToStripe(change, own(outgoing, null, { cursor: 4 }))?.state).to.equal('waiting');
    expect(deliveryToStripe(change, own(outgoing, { status: 503 }, ofSale(null)))?.state).to.equal('parked');
  });

  it('has arrived, was dropped or was refused, as the last attempt says', () => {
    expect(states({ reason: 'sent' }, { reason: 'agreed' }, { reason: 'dropped' })).to.deep.equal([
      'arrived',
      'arrived',
      'dropped',
    ]);
    expect(states({ status: 400 }, { status: 402 }, { status: 404 })).to.deep.equal(['refused', 'refused', 'refused']);
  });

  it('is unknown where no attempt says it', () => {
    expect(states({ status: 500 }, { status: 204 }, { reason: 'timeout' }, {})).to.deep.equal([null, null, null, null]);
    expect(deliveryToStripe(change, own(outgoing, null))).to.equal(null);
    expect(deliveryToStripe(change, null)).to.equal(null);
  });

  it('is nothing for an event that Stripe is not asked for', () => {
    for (const other of [{ type: 'entitlement.renewed' }, { by: 'stripe' }] as const) {
      const { position, event: asked } = change;
      const one = { position, event: { ...asked, ...other } };
      expect(deliveryToStripe(one, own(outgoing, { reason: 'sent' }))).to.equal(null);
    }
  });
});

describe('what became of the mail of an event', () => {
  const grant = placed(5, 'sub_1', { type: 'entitlement.granted', by: 'stripe' });
  const rotation: Partial<EntitlementEvent> = { type: 'license.rotated' };

  it('waits, or is parked for a person', () => {
    const failed = own(mailing.endpoint, { reason: 'timeout' }, ofSale(later(9)));
    expect(deliveryByMail(grant, failed)).to.deep.equal({
      kind: 'grant',
      state: 'waiting',
      attempt: failed.attempts[0],
      nextAt: later(9),
    });
    expect(deliveryByMail(grant, own(mailing.endpoint, null, ofSale(null)))?.state).to.equal('parked');
    expect(deliveryByMail(placed(5, 'sub_1', rotation), own(mailing.endpoint, null, { cursor: 4 }))).to.include({
      kind: 'replaced',
      state: 'waiting',
    });
  });

  it('has ended as the attempt says', () => {
    const sent = own(mailing.endpoint, { reason: 'sent' });
    expect(deliveryByMail(grant, sent)).to.deep.equal({
      kind: 'grant',
      state: 'sent',
      attempt: sent.attempts[0],
      nextAt: null,
    });
    expect(deliveryByMail(grant, own(mailing.endpoint, { reason: 'no_license' }))?.state).to.equal('no_license');
  });

  it('is unknown where no attempt says it, and nothing for an event without mail', () => {
    for (const answer of [null, { reason: 'timeout' }, { status: 500 }])
      expect(deliveryByMail(grant, own(mailing.endpoint, answer))).to.equal(null);
    expect(deliveryByMail(grant, null)).to.equal(null);
    const other = placed(5, 'sub_1', { type: 'entitlement.renewed' });
    expect(deliveryByMail(other, own(mailing.endpoint, { reason: 'sent' }))).to.equal(null);
  });
});
