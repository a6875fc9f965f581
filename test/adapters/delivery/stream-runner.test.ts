import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { DeliveryParts, DeliveryReport } from '../../../adapters/delivery/delivery-parts.ts';
import { StreamRunner } from '../../../adapters/delivery/stream-runner.ts';
import { disableWebhook } from '../../../core/webhook/enable-webhook.ts';
import type { DeliveryOutcome } from '../../../core/webhook/send-delivery.ts';
import { keyOf } from '../../../core/webhook/stream/delivery-stream.ts';
import { aCall, aChangeRecord, anEvent, aSubscription, later, noon } from '../../support/builders.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { thrownBy } from '../../support/thrown.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

const gone = { kind: 'gone', answer: 'status 410', status: 410 } as const;
const delivered = { kind: 'delivered', answer: 'status 200', status: 200 } as const;

const failed = { kind: 'failed', answer: '450 4.2.0', status: null, retryAfter: null } as const;

describe('a runner of a stream', () => {
  const store = freshStore(memory.open);
  /** The requests, in the order in which they began. */
  let requests: {
    readonly id: string;
    readonly end: (outcome: DeliveryOutcome) => void;
    readonly signal: AbortSignal | undefined;
  }[];
  let reports: DeliveryReport[];
  let decisions: PromiseWithResolvers<boolean>[];
  let runner: StreamRunner;
  let elapsed: number;
  let now: Date;
  let options: Pick<DeliveryParts, 'whenDown' | 'maxSlow'>;
  let writes: number;

  /** Stores events of one entitlement, at the next positions. */
  const addEvents = async (id: string, count: number): Promise<void> => {
    const entitlement = aSubscription({ id, sequence: count });
    const events = Array.from({ length: count }, (_, index) =>
      anEvent(entitlement, { id: `evt_${id}_${index + 1}`, type: 'entitlement.renewed', sequence: index + 1 }),
    );
    const changeRecord = { ...aChangeRecord(entitlement), events };
    await store().allEntitlements.add([{ entitlement, changeRecord }], aCall());
  };

  /** Stores one more event of an entitlement. */
  const addMore = async (id: string, sequence: number): Promise<void> => {
    const entitlement = aSubscription({ id, sequence: sequence - 1 });
    const stored = await store().allEntitlements.find(id, aCall());
    const next = { ...(stored ?? entitlement), sequence, revision: (stored?.revision ?? 1) + 1 };
    const events = [anEvent(next, { id: `evt_${id}_${sequence}`, type: 'entitlement.renewed', sequence })];
    const changeRecord = { ...aChangeRecord(next), events };
    await store().allEntitlements.replace(stored ?? entitlement, next, changeRecord, aCall());
  };

  const sent = (): readonly string[] => requests.map(({ id }) => id);

  /** Ends a request, and lets everything happen that follows from it. */
  const end = async (index: number, outcome: DeliveryOutcome): Promise<void> => {
    requests[index]?.end(outcome);
    await turn();
  };

  const all = () => store().deliveryStreams.find(aStream(), aCall(), 'all');
  const addBots = async (first: number, count: number): Promise<void> => {
    for (let index = first; index < first + count; index += 1) await addEvents(`bot-${index}`, 1);
  };
  /** Lets everything that was begun fail, and what follows. */
  const failAll = async (): Promise<void> => {
    for (let index = 0; index < requests.length; index += 1) await end(index, failed);
  };
  const writeSoon = async (last: number): Promise<void> => {
    elapsed += 1000;
    await runner.step(last);
  };

  beforeEach(async () => {
    [requests, reports, decisions] = [[], [], []];
    [elapsed, writes, now] = [0, 0, noon];
    options = {};
    const { webhookEndpoints: endpoints, deliveryStreams: streams, events, products } = store();
    await endpoints.add(anEndpoint(), aCall());
    await streams.add([aStream()], aCall());
    const counted = interposed(streams, (method) => {
      if (method === 'replace') writes += 1;
    });
    const taken = await StreamRunner.take(
      {
        endpoints,
        streams: counted,
        events,
        products,
        disableWebhook: disableWebhook(endpoints),
        send: ({ message, signal }) =>
          new Promise((resolve) => requests.push({ id: message.id, end: resolve, signal })),
        isPaused: () => false,
        clock: () => now,
        monotonicClock: () => elapsed,
        get whenDown() {
          return options.whenDown ?? 'probe';
        },
        get maxSlow() {
          return options.maxSlow ?? 0;
        },
        random: () => 0.5,
        newCall: () => aCall(),
        report: (report) => reports.push(report),
        holder: 'process',
      },
      { key: keyOf(aStream()), stream: aStream(), endpoint: anEndpoint() },
      () => {
        const decision = Promise.withResolvers<boolean>();
        decisions.push(decision);
        return decision.promise;
      },
    );
    if (taken === null) throw new Error('nobody else takes the stream');
    runner = taken;
  });

  it('begins nothing while it is decided whether the endpoint is disabled, and goes on if it is not', async () => {
    await addEvents('a', 1);
    await runner.step(1);
    await end(0, gone);
    expect(decisions).to.have.length(1);
    await addEvents('b', 1);
    await runner.step(2);
    await runner.rest();
    await runner.step(2);
    expect(sent()).to.deep.equal(['evt_a_1']);
    decisions[0]?.resolve(false);
    await turn();
    await runner.step(2);
    expect(sent()).to.deep.equal(['evt_a_1', 'evt_a_1', 'evt_b_1']);
  });

  it('begins nothing if the endpoint was disabled', async () => {
    await addEvents('a', 1);
    await runner.step(1);
    await end(0, gone);
    decisions[0]?.resolve(true);
    await turn();
    await runner.step(1);
    expect(sent()).to.deep.equal(['evt_a_1']);
  });

  it('begins nothing after a fault, until the step after the one that throws it', async () => {
    await addEvents('a', 1);
    await runner.step(1);
    await end(0, gone);
    const fault = new Error('the store is down');
    decisions[0]?.reject(fault);
    await turn();
    expect(sent()).to.deep.equal(['evt_a_1']);
    expect(await thrownBy(runner.step(1))).to.equal(fault);
    expect(sent()).to.deep.equal(['evt_a_1']);
    await runner.step(1);
    expect(sent()).to.deep.equal(['evt_a_1', 'evt_a_1']);
  });

  it('begins nothing while it rests, whatever ends meanwhile', async () => {
    await addEvents('a', 2);
    await runner.step(2);
    await runner.rest();
    await end(0, delivered);
    expect(sent()).to.deep.equal(['evt_a_1']);
    await runner.step(2);
    expect(sent()).to.deep.equal(['evt_a_1', 'evt_a_2']);
  });

  it('cuts off what is in flight before another process can take the stream, and only then', async () => {
    await addEvents('a', 1);
    await runner.step(1);
    elapsed = 54_000;
    await runner.rest();
    expect(requests[0]?.signal?.aborted).to.equal(false);
    elapsed = 109_000;
    await runner.rest();
    expect(requests[0]?.signal?.aborted).to.equal(false);
    elapsed = 165_000;
    await runner.step(1);
    expect(requests[0]?.signal?.aborted).to.equal(true);
    await end(0, { kind: 'failed', answer: 'aborted', status: null, retryAfter: null });
    await addEvents('b', 1);
    await runner.step(2);
    expect(requests[1]?.signal?.aborted).to.equal(false);
  });

  describe('of a receiver that stands for many', () => {
    beforeEach(() => {
      options = { whenDown: 'schedule' };
    });

    it('delivers the next event however many wait for their next attempt, and these when they are due', async () => {
      const bots = 1100;
      await addBots(0, bots);
      for (let step = 0; step < 4; step += 1) {
        await runner.step(bots);
        await failAll();
        await writeSoon(bots);
      }
      await failAll();
      await writeSoon(bots);
      const stored = await store().deliveryStreams.find(aStream(), aCall());
      expect([stored?.pending.size, stored?.aside.waiting]).to.deep.equal([0, bots]);
      expect(stored?.aside.wakeAt?.getTime()).to.be.greaterThan(noon.getTime());
      requests = [];
      await addEvents('ada', 1);
      await runner.step(bots + 1);
      expect(sent()).to.deep.equal(['evt_ada_1']);
      await end(0, delivered);
      requests = [];
      now = later(10_000);
      await runner.step(bots + 1);
      expect(sent()).to.have.length(8);
      await addEvents('bob', 1);
      await end(0, delivered);
      await runner.step(bots + 2);
      expect(sent().filter((id) => id === 'evt_bob_1')).to.have.length(1);
    });

    it('keeps the order of an entitlement whose first event waits, also after what was set aside was taken back', async () => {
      await addEvents('a', 2);
      await runner.step(2);
      await end(0, failed);
      await writeSoon(2);
      expect((await store().deliveryStreams.find(aStream(), aCall()))?.pending.size).to.equal(0);
      await addMore('a', 3);
      await runner.step(3);
      await writeSoon(3);
      expect((await all())?.pending.get('a')?.positions).to.deep.equal([1, 2, 3]);
      expect(sent()).to.deep.equal(['evt_a_1']);
      now = later(10_000);
      await runner.step(3);
      for (let index = 1; index <= 3; index += 1) await end(index, delivered);
      expect(sent()).to.deep.equal(['evt_a_1', 'evt_a_1', 'evt_a_2', 'evt_a_3']);
      await writeSoon(3);
      expect(await all()).to.deep.include({ pending: new Map(), cursor: 3 });
    });

    it('begins others while slow requests go on, up to a number', async () => {
      options = { whenDown: 'schedule', maxSlow: 12 };
      await addBots(0, 30);
      await runner.step(30);
      expect(requests).to.have.length(8);
      elapsed += 2000;
      await runner.step(30);
      expect(requests).to.have.length(16);
      elapsed += 2000;
      await runner.step(30);
      expect(requests).to.have.length(20);
      options = { whenDown: 'schedule' };
      await end(0, delivered);
      expect(requests).to.have.length(20);
    });
  });

  it('counts how the last requests end when it is stopped, and frees the stream after them', async () => {
    await addEvents('a', 2);
    await runner.step(2);
    const stopped = runner.stop();
    await end(0, delivered);
    await stopped;
    expect(sent()).to.deep.equal(['evt_a_1']);
    const stored = await store().deliveryStreams.find(aStream(), aCall());
    expect([stored?.holder, stored?.pending.get('a')?.positions]).to.deep.equal([null, [2]]);
  });

  it('frees the stream when it is cut off, and ignores how the last requests end', async () => {
    await addEvents('a', 2);
    await runner.step(2);
    await runner.stop(Promise.resolve());
    expect(requests[0]?.signal?.aborted).to.equal(true);
    await end(0, gone);
    expect(decisions).to.deep.equal([]);
    const stored = await store().deliveryStreams.find(aStream(), aCall());
    expect([stored?.holder, stored?.pending.get('a')?.positions]).to.deep.equal([null, [1, 2]]);
    expect(reports).to.deep.equal([{ kind: 'sent', outcome: 'gone' }]);
  });

  it('keeps its attempts in the writes of their outcomes', async () => {
    await addEvents('a', 1);
    await addEvents('b', 1);
    await runner.step(2);
    elapsed = 1200.4;
    await end(1, { kind: 'failed', answer: 'no answer in time', status: null, retryAfter: null });
    elapsed = 1500;
    await end(0, delivered);
    writes = 0;
    await runner.step(2);
    const stored = await store().deliveryStreams.find(aStream(), aCall());
    const attempt = { at: noon, status: 200, reason: null };
    expect([writes, stored?.attempts]).to.deep.equal([
      1,
      [
        { ...attempt, position: 1, eventId: 'evt_a_1', durationMs: 1500 },
        { ...attempt, position: 2, eventId: 'evt_b_1', durationMs: 1200, status: null, reason: 'no answer in time' },
      ],
    ]);
  });

  it('keeps an attempt whose answer ends the deliveries', async () => {
    await addEvents('a', 1);
    await runner.step(1);
    await end(0, gone);
    decisions[0]?.resolve(true);
    await runner.stop();
    const stored = await store().deliveryStreams.find(aStream(), aCall());
    expect(stored?.attempts.map(({ eventId, status }) => [eventId, status])).to.deep.equal([['evt_a_1', 410]]);
  });

  it('writes nothing when it is abandoned', async () => {
    await addEvents('a', 2);
    await runner.step(2);
    const abandoned = runner.abandon();
    await end(0, delivered);
    await abandoned;
    expect(sent()).to.deep.equal(['evt_a_1']);
    const stored = await store().deliveryStreams.find(aStream(), aCall());
    expect([stored?.holder, stored?.pending.size]).to.deep.equal(['process', 0]);
  });
});
