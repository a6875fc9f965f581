import { expect } from 'chai';
import { readDeliveryBacklog, type DeliveryBacklog } from '../../../core/webhook/delivery-backlog.ts';
import type { DeliveryStream, PendingEvents } from '../../../core/webhook/stream/delivery-stream.ts';
import { aCall, aChangeRecord, anEvent, aSubscription, later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { addSetAside, anEndpoint, aStream } from '../../support/webhooks/builders.ts';

function waiting(...positions: readonly number[]): PendingEvents {
  return { positions, attempt: 1, at: noon };
}

function parked(...positions: readonly number[]): PendingEvents {
  return { positions, attempt: 10, at: null };
}

const disabled = { state: 'disabled' as const, reason: 'requested' as const };
const endpoints = { enabled: 0, requested: 0, gone: 0, failing: 0 };

describe('the backlog of deliveries', () => {
  const store = freshStore(memory.open);
  const addEndpoint = (overrides: Parameters<typeof anEndpoint>[0] = {}) =>
    store().webhookEndpoints.add(anEndpoint(overrides), aCall());
  const addStream = (overrides: Partial<DeliveryStream> = {}) =>
    store().deliveryStreams.add([aStream(overrides)], aCall());

  /** Stores `count` events of a product, the first one `start` milliseconds after noon. */
  const addEvents = async (count: number, productId = 'prod_1', start = 0): Promise<void> => {
    for (const index of range(count)) {
      const entitlement = aSubscription({ id: `${productId}_${index}`, productId, sequence: 1 });
      const events = [anEvent(entitlement, { at: later(start + index) })];
      const call = aCall({ now: later(start + index) });
      await store().allEntitlements.add(
        [{ entitlement, changeRecord: { ...aChangeRecord(entitlement), events } }],
        call,
      );
    }
  };

  const read = (): Promise<DeliveryBacklog> => {
    const { deliveryStreams: streams, events, webhookEndpoints } = store();
    return readDeliveryBacklog({ endpoints: webhookEndpoints, streams, events })(aCall());
  };

  it('is empty without endpoints', async () => {
    await addEvents(3);
    await addStream();
    expect(await read()).to.deep.equal({ endpoints, pending: 0, parked: 0, oldest: null });
  });

  it('counts the endpoints by why they are disabled', async () => {
    const reasons = [null, 'requested', 'gone', 'gone', 'failing', null, null] as const;
    for (const [index, reason] of reasons.entries()) {
      await addEndpoint({ id: `whk_${index}`, state: reason === null ? 'enabled' : 'disabled', reason });
    }
    expect((await read()).endpoints).to.deep.equal({ enabled: 3, requested: 1, gone: 2, failing: 1 });
  });

  it('counts what was read and what was not, and apart from it what is parked', async () => {
    await addEvents(10);
    await addEndpoint();
    await addStream({
      cursor: 6,
      pending: new Map([
        ['a', parked(1, 4)],
        ['b', waiting(3, 5, 6)],
      ]),
    });
    expect(await read()).to.deep.equal({
      endpoints: { ...endpoints, enabled: 1 },
      pending: 3 + 4,
      parked: 2,
      oldest: later(2),
    });
  });

  it('counts what disabled endpoints have not got, but not how old it is', async () => {
    await addEvents(4);
    await addEndpoint(disabled);
    await addEndpoint({ id: 'whk_2' });
    await addStream();
    await addStream({ endpointId: 'whk_2', cursor: 3 });
    expect(await read()).to.deep.equal({
      endpoints: { ...endpoints, enabled: 1, requested: 1 },
      pending: 4 + 1,
      parked: 0,
      oldest: later(3),
    });
  });

  it('has nothing pending at the end of a log, or beyond that of a restored backup', async () => {
    await addEvents(4);
    await addEndpoint();
    await addEndpoint({ id: 'whk_2' });
    await addStream({ cursor: 4, pending: new Map([['a', parked(2)]]) });
    await addStream({ endpointId: 'whk_2', cursor: 6 });
    expect(await read()).to.deep.include({ pending: 0, parked: 1, oldest: null });
  });

  it('has the oldest event of all products', async () => {
    await addEndpoint({ productId: null });
    const starts = { prod_1: 20, prod_2: 10, prod_3: 30 };
    for (const [productId, start] of Object.entries(starts)) {
      await addEvents(2, productId, start);
      await addStream({ productId });
    }
    await addStream({ productId: 'prod_4' });
    expect(await read()).to.deep.include({ pending: 6, oldest: later(10) });
  });

  it('has no oldest event if it is no longer kept', async () => {
    await addEvents(3);
    await addEndpoint();
    await addStream({ cursor: 3, pending: new Map([['a', waiting(3)]]) });
    const events = {
      page: async () => ({ events: [], first: 0, last: 3 }),
      lastPositions: async () => new Map([['prod_1', 3]]),
    };
    const { deliveryStreams: streams, webhookEndpoints } = store();
    const backlog = await readDeliveryBacklog({ endpoints: webhookEndpoints, streams, events })(aCall());
    expect(backlog).to.deep.include({ pending: 1, oldest: null });
  });

  it('leaves out the streams of endpoints that were deleted', async () => {
    await addEvents(3);
    await addEndpoint();
    await addStream({ endpointId: 'whk_2' });
    expect(await read()).to.deep.include({ pending: 0, oldest: null });
  });

  it('reads every endpoint and every stream, each within the deadline of the call', async () => {
    for (const index of range(201)) {
      await addEndpoint({ id: `whk_${1000 + index}` });
      await addStream({ endpointId: `whk_${1000 + index}`, pending: new Map([['a', parked(1)]]) });
    }
    const calls = new Set<unknown>();
    const record = (_method: unknown, parameters: readonly unknown[]): unknown => calls.add(parameters.at(-1));
    const call = aCall();
    const { deliveryStreams, events, webhookEndpoints } = store();
    const backlog = await readDeliveryBacklog({
      endpoints: interposed(webhookEndpoints, record),
      streams: interposed(deliveryStreams, record),
      events: interposed(events, record),
    })(call);
    expect([backlog.endpoints.enabled, backlog.parked]).to.deep.equal([201, 201]);
    expect([...calls]).to.deep.equal([call]);
  });

  it('begins with the first event that waits, set aside or not', async () => {
    await addEvents(5);
    await addEndpoint();
    const pending = new Map([
      ['prod_1_2', { ...waiting(3, 4), at: later(99) }],
      ['prod_1_1', parked(2)],
    ]);
    await addSetAside(store().deliveryStreams, aStream({ cursor: 5, pending }));
    expect(await read()).to.deep.include({ pending: 2, parked: 1, oldest: later(2) });
  });

  it('begins nowhere where nothing waits', async () => {
    await addEvents(2);
    await addEndpoint();
    await addSetAside(store().deliveryStreams, aStream({ cursor: 2, pending: new Map([['prod_1_1', parked(2)]]) }));
    expect(await read()).to.deep.include({ pending: 0, parked: 1, oldest: null });
  });
});
