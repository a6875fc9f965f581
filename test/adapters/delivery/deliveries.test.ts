import { expect } from 'chai';
import { parkedCount, pendingCount, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import { day, hour } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { range } from '../../support/range.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { MovedClock, TestDeliveries } from '../../support/webhooks/deliveries.ts';
import { accept, answerWith, Receiver, type Received } from '../../support/webhooks/receiver.ts';

/** The speed of the monotonic clock of deliveries: they wait less, and a lease of 60 s still takes 12 s. */
const speed = 5;

/** Waits until a receiver has accepted `count` different events. */
function acceptedBy(receiver: Receiver, count: number): Promise<readonly Received[]> {
  return eventually(
    async () => withoutRepeats(receiver.accepted),
    (accepted) => accepted.length >= count,
  );
}

function withoutRepeats(received: readonly Received[]): readonly Received[] {
  return [...new Map(received.toReversed().map((one) => [one.id, one])).values()].toReversed();
}

/** The sequences of each entitlement, in the order of their arrival. */
function sequencesOf(received: readonly Received[]): Readonly<Record<string, readonly (number | undefined)[]>> {
  const groups = Map.groupBy(received, ({ entitlementId }) => entitlementId ?? '');
  return Object.fromEntries([...groups].map(([id, own]) => [id, own.map(({ sequence }) => sequence)]));
}

describe('deliveries to webhook endpoints', () => {
  const store = freshStore(memory.open);
  let deliveries: TestDeliveries;
  let receiver: Receiver;
  const running: TestDeliveries[] = [];

  const started = (clock = deliveries.clock, clockSpeed = speed): TestDeliveries => {
    const other = new TestDeliveries(store(), clock, clockSpeed);
    running.push(other);
    return other;
  };
  const streamThat = (passes: (stream: DeliveryStream) => boolean): Promise<DeliveryStream | null> =>
    eventually(
      () => deliveries.stream(),
      (stream) => stream !== null && passes(stream),
    );

  beforeEach(async () => {
    receiver = await Receiver.start();
    deliveries = started(new MovedClock());
    await deliveries.addProduct();
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
    await receiver.close();
    expect(receiver.forged).to.deep.equal([]);
  });

  /** Adds the receiver as an endpoint, which verifies with its secret from then on. */
  async function addEndpoint(overrides: Parameters<TestDeliveries['addWebhook']>[1] = {}): Promise<void> {
    const { secret } = await deliveries.addWebhook(receiver.url, overrides);
    receiver.secrets = secret === null ? [] : [secret];
  }

  it('arrive with a good signature, and report what happened since the endpoint was added', async () => {
    await deliveries.grant('before');
    await addEndpoint();
    deliveries.start();
    await deliveries.grant('a');
    await deliveries.change('a', 2);
    const accepted = await acceptedBy(receiver, 3);
    expect(accepted.map(({ type, sequence, signatures }) => [type, sequence, signatures])).to.deep.equal([
      ['entitlement.granted', 1, 1],
      ['entitlement.suspended', 2, 1],
      ['entitlement.reinstated', 3, 1],
    ]);
    const [first] = accepted;
    expect(first?.id).to.match(/^evt_[A-Za-z0-9_-]+$/);
    expect(first?.data).to.have.all.keys('sequence', 'correlationId', 'by', 'previous', 'entitlement');
    expect(accepted[1]?.data['previous']).to.deep.equal({ status: 'active' });
  });

  it('leave their last attempts with the state of the deliveries', async () => {
    receiver.answer = answerWith(503);
    await addEndpoint();
    deliveries.start();
    await deliveries.grant('a');
    await streamThat(({ attempts }) => attempts.length > 0);
    receiver.answer = accept;
    deliveries.clock.move(hour);
    const [accepted] = await acceptedBy(receiver, 1);
    const stream = await streamThat(({ attempts }) => attempts[0]?.status === 204);
    const [last, first] = [stream?.attempts[0], stream?.attempts.at(-1)];
    const failed = { position: 1, eventId: accepted?.id, status: 503, reason: null };
    expect(first).to.deep.include(failed);
    expect(last).to.deep.include({ ...failed, status: 204 });
    const times = stream?.attempts.map(({ at }) => at.getTime()) ?? [];
    expect(times).to.deep.equal(times.toSorted((a, b) => b - a));
  });

  it('are those of the product and the types of the endpoint', async () => {
    await deliveries.addProduct('prod_2');
    await addEndpoint({ productId: 'prod_2' });
    await deliveries.addWebhook(`${receiver.url}/types`, { id: 'whk_2', types: ['entitlement.suspended'] });
    receiver.secrets = [];
    deliveries.start();
    await deliveries.grant('a');
    await deliveries.change('a', 3);
    const accepted = await acceptedBy(receiver, 2);
    expect(accepted.map(({ type }) => type)).to.deep.equal(['entitlement.suspended', 'entitlement.suspended']);
  });

  it('begin with the first event of a product that is newer than an endpoint for all', async () => {
    await addEndpoint({ productId: null });
    await deliveries.grant('a');
    deliveries.start();
    await acceptedBy(receiver, 1);
    await deliveries.addProduct('prod_2');
    await deliveries.grantOf('prod_2', 'b');
    const accepted = await acceptedBy(receiver, 2);
    expect(accepted.map(({ entitlementId }) => entitlementId)).to.deep.equal(['a', 'b']);
  });

  it('are in order for each entitlement, and at most eight at the same time', async () => {
    const ids = range(12).map((index) => `ent_${index}`);
    await addEndpoint();
    await deliveries.grant(...ids);
    for (const id of ids) await deliveries.change(id, 4);
    receiver.answer = async (response, received) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await accept(response, received);
    };
    deliveries.start();
    const accepted = await acceptedBy(receiver, 60);
    for (const sequences of Object.values(sequencesOf(accepted))) expect(sequences).to.deep.equal([1, 2, 3, 4, 5]);
    expect(receiver.received).to.have.length(60);
    expect(receiver.maxAtOnce).to.be.within(2, 8);
  });

  it('go on when a receiver was down for a day, without losing or repeating an event', async () => {
    const ids = range(10).map((index) => `ent_${index}`);
    receiver.answer = answerWith(503);
    await addEndpoint();
    deliveries.start();
    await deliveries.grant(...ids);
    await streamThat(({ probe }) => probe !== null);
    for (const _ of range(24)) {
      deliveries.clock.move(hour);
      await deliveries.change('ent_0');
    }
    // Until no probe is in flight: its next one would count from an instant after the move.
    await streamThat(({ probe }) => probe !== null && probe.at > deliveries.clock.now());
    receiver.answer = accept;
    deliveries.clock.move(hour * 24);
    const accepted = await acceptedBy(receiver, 34);
    expect(receiver.accepted).to.have.length(34);
    expect(sequencesOf(accepted)['ent_0']).to.deep.equal(range(25).map((index) => index + 1));
    const down = deliveries.logged.filter(({ message }) => String(message).includes('is down'));
    expect(down).to.have.length(1);
  });

  it('hold up the events of an entitlement that fails, and no others', async () => {
    receiver.answer = async (response, received) =>
      (received.entitlementId === 'bad' ? answerWith(500) : accept)(response, received);
    await addEndpoint();
    deliveries.start();
    await deliveries.grant('bad', 'a');
    await deliveries.change('bad');
    await deliveries.change('a');
    expect(sequencesOf(await acceptedBy(receiver, 2))).to.deep.equal({ a: [1, 2] });
    for (const [index, delay] of [0.01, 0.1, 0.6, 2.4, 6, 12, 16.8, 24, 28.8].entries()) {
      // Until the failure is stored, so that its retry does not count from an instant after the move.
      await streamThat(({ pending }) => pending.get('bad')?.attempt === index + 1);
      deliveries.clock.move(delay * hour);
    }
    const parked = await streamThat((stream) => parkedCount(stream) === 2);
    expect(parked?.pending.get('bad')).to.deep.include({ attempt: 10, at: null });
    expect(receiver.received.filter(({ entitlementId }) => entitlementId === 'bad')).to.have.length(10);
    const lines = deliveries.logged.map(({ entitlementId, answer }) => ({ entitlementId, answer }));
    expect(lines).to.deep.include({ entitlementId: 'bad', answer: 'status 500' });
    receiver.answer = accept;
    expect(await deliveries.administration.retryWebhook('whk_1', deliveries.call())).to.equal(2);
    const accepted = await acceptedBy(receiver, 4);
    expect(sequencesOf(accepted)).to.deep.equal({ a: [1, 2], bad: [1, 2] });
  });

  it('wait for as long as a receiver asks with 429 and Retry-After', async () => {
    receiver.answer = answerWith(429, { 'Retry-After': '7200' });
    await addEndpoint();
    deliveries.start();
    await deliveries.grant('a');
    const stream = await streamThat(({ failingSince }) => failingSince !== null);
    const { failingSince, pending } = stream ?? {};
    expect(+(pending?.get('a')?.at ?? 0) - +(failingSince ?? 0)).to.equal(2 * hour);
    receiver.answer = accept;
    deliveries.clock.move(2 * hour);
    await acceptedBy(receiver, 1);
  });

  it('end at once when a receiver answers 410, and go on from there when it is enabled', async () => {
    receiver.answer = answerWith(410);
    await addEndpoint();
    deliveries.start();
    await deliveries.grant('a');
    const shown = await eventually(
      () => deliveries.administration.showWebhook('whk_1', deliveries.call()),
      ({ endpoint }) => endpoint.state === 'disabled',
    );
    expect(shown.endpoint).to.deep.include({ state: 'disabled', reason: 'gone' });
    await deliveries.change('a', 2);
    receiver.answer = accept;
    await deliveries.administration.enableWebhook('whk_1', deliveries.call());
    expect(sequencesOf(await acceptedBy(receiver, 3))).to.deep.equal({ a: [1, 2, 3] });
    const disabled = deliveries.logged.filter(({ reason }) => reason === 'gone');
    expect(disabled).to.have.length(1);
  });

  it('end after five days without a success, and lose nothing', async () => {
    receiver.answer = answerWith(500);
    await addEndpoint();
    deliveries.start();
    await deliveries.grant('a');
    await streamThat(({ failingSince }) => failingSince !== null);
    deliveries.clock.move(5 * day);
    const shown = await eventually(
      () => deliveries.administration.showWebhook('whk_1', deliveries.call()),
      ({ endpoint }) => endpoint.state === 'disabled',
    );
    expect(shown.endpoint.reason).to.equal('failing');
    receiver.answer = accept;
    await deliveries.administration.enableWebhook('whk_1', deliveries.call());
    expect(sequencesOf(await acceptedBy(receiver, 1))).to.deep.equal({ a: [1] });
  });

  it('stop while an endpoint is disabled, and are kept', async () => {
    await addEndpoint();
    deliveries.start();
    await deliveries.grant('a');
    await acceptedBy(receiver, 1);
    await deliveries.administration.disableWebhook('whk_1', 'requested', deliveries.call());
    await streamThat(({ holder }) => holder === null);
    await deliveries.change('a', 2);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(receiver.received).to.have.length(1);
    await deliveries.administration.enableWebhook('whk_1', deliveries.call());
    expect(sequencesOf(await acceptedBy(receiver, 3))).to.deep.equal({ a: [1, 2, 3] });
  });

  it('repeat events after a cursor, with their ids', async () => {
    await addEndpoint();
    deliveries.start();
    await deliveries.grant('a');
    await deliveries.change('a', 2);
    const [first, ...others] = await acceptedBy(receiver, 3);
    await streamThat((stream) => pendingCount(stream) === 0 && stream.cursor === 3);
    const from = `1-${first?.id.slice('evt_'.length, 'evt_'.length + 8)}`;
    await deliveries.administration.replayWebhook({ id: 'whk_1', productId: 'prod_1', from }, deliveries.call());
    await eventually(
      async () => receiver.accepted.length,
      (count) => count >= 5,
    );
    expect(receiver.accepted.slice(3)).to.deep.equal(others);
  });

  it('go on behind an event that is skipped', async () => {
    await addEndpoint();
    receiver.answer = (response, { sequence, entitlementId }) =>
      void response.writeHead(entitlementId === 'a' && sequence === 2 ? 422 : 204).end();
    deliveries.start();
    await deliveries.grant('a', 'b');
    await deliveries.change('a', 2);
    await streamThat(({ cursor, pending }) => cursor === 4 && pending.get('a')?.attempt === 1 && pending.size === 1);
    const poison = receiver.received.findLast(({ entitlementId, sequence }) => entitlementId === 'a' && sequence === 2);
    const to = `3-${poison?.id.slice('evt_'.length, 'evt_'.length + 8)}`;
    const skip = { id: 'whk_1', productId: 'prod_1', to, entitlementId: 'a' };
    const outcomes = [];
    for (const _ of range(2)) {
      const { changed } = await deliveries.administration.skipWebhookEvents(skip, deliveries.call());
      outcomes.push(changed);
    }
    expect(outcomes).to.deep.equal([true, false]);
    expect(sequencesOf(await acceptedBy(receiver, 3))).to.deep.equal({ a: [1, 3], b: [1] });
    expect(await streamThat(({ pending }) => pending.size === 0)).to.deep.include({
      failing: [],
      failingSince: null,
    });
  });

  it('have a signature of each secret while one is replaced', async () => {
    await addEndpoint();
    const rotated = await deliveries.administration.rotateWebhookSecret(
      { id: 'whk_1', overlap: hour, revision: null },
      deliveries.call(),
    );
    receiver.secrets = [...receiver.secrets, rotated.secret];
    deliveries.start();
    await deliveries.grant('a');
    expect((await acceptedBy(receiver, 1)).map(({ signatures }) => signatures)).to.deep.equal([2]);
    deliveries.clock.move(hour);
    receiver.secrets = [rotated.secret];
    await deliveries.change('a');
    expect((await acceptedBy(receiver, 2)).map(({ signatures }) => signatures)).to.deep.equal([2, 1]);
  });

  it('are shared by processes, and each event is sent once', async () => {
    // Together they must keep their leases, however long the machine is busy.
    const processes = range(3).map(() => started(deliveries.clock, 1));
    await deliveries.addProduct('prod_2');
    await addEndpoint({ productId: null });
    for (const one of processes) one.start();
    const ids = range(8).map((index) => `ent_${index}`);
    await deliveries.grant(...ids);
    await deliveries.grantOf('prod_2', 'b');
    for (const id of ids) await deliveries.change(id, 3);
    const accepted = await acceptedBy(receiver, 33);
    expect(receiver.accepted).to.have.length(33);
    for (const id of ids) expect(sequencesOf(accepted)[id]).to.deep.equal([1, 2, 3, 4]);
  });

  it('are left to other processes at once by one that stops', async () => {
    await addEndpoint();
    deliveries.start();
    await deliveries.grant('a');
    await acceptedBy(receiver, 1);
    await deliveries.stop();
    expect(await deliveries.stream()).to.deep.include({ holder: null, cursor: 1 });
    started().start();
    await deliveries.change('a');
    expect(sequencesOf(await acceptedBy(receiver, 2))).to.deep.equal({ a: [1, 2] });
    expect(receiver.received).to.have.length(2);
  });

  it('wait for a delivery in progress when the process stops', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    receiver.answer = async (response, received) => {
      await promise;
      await accept(response, received);
    };
    await addEndpoint();
    deliveries.start();
    await deliveries.grant('a');
    await eventually(
      async () => receiver.received.length,
      (count) => count > 0,
    );
    const stopped = deliveries.stop(30_000);
    resolve();
    await stopped;
    const stream = await deliveries.stream();
    expect([stream?.holder, stream?.pending.size, stream?.cursor]).to.deep.equal([null, 0, 1]);
  });
});
