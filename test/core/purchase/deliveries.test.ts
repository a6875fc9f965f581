import { expect } from 'chai';
import { deliveriesOf, type EventDelivery } from '../../../core/purchase/deliveries.ts';
import type { DeliveryAttempt } from '../../../core/webhook/stream/delivery-attempt.ts';
import type { DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import type { WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';
import { later, noon } from '../../support/builders.ts';
import { anEndpoint, aStream, placed } from '../../support/webhooks/builders.ts';

const event = placed(5, 'ent_1');

function attempt(status: number, at: Date, eventId = 'evt_5'): DeliveryAttempt {
  return { at, position: 5, eventId, status, reason: null, durationMs: 88 };
}

/** What became of the event at one endpoint. */
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
