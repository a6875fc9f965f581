import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { DeliveryReport } from '../../../adapters/delivery/delivery-parts.ts';
import { DeliveryWorker } from '../../../adapters/delivery/delivery-worker.ts';
import { subjectOf } from '../../../core/feed/logged-event.ts';
import { disableWebhook } from '../../../core/webhook/enable-webhook.ts';
import type { SendDelivery } from '../../../core/webhook/send-delivery.ts';
import { leaseTime } from '../../../core/webhook/stream/lease.ts';
import { aCall } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { freshStore, memory, type OpenedStore } from '../../support/stores/stores.ts';
import { MovedClock, TestDeliveries } from '../../support/webhooks/deliveries.ts';

/** A delivery that arrived: the entitlement and the sequence of its event. */
type Arrival = readonly [entitlementId: string, sequence: number];

/**
 * The milliseconds by which the clock of the workers is moved every 20 ms while the test waits for them: a process that
 * first saw a stream after its lease had ended waits for the time of a lease once more.
 */
const haste = 200;

/** A worker that can be killed and frozen as a process can: then it neither sends nor writes. */
class MortalWorker {
  readonly reports: DeliveryReport[] = [];
  readonly #worker: DeliveryWorker;
  #isDead = false;
  #frozen: PromiseWithResolvers<void> | null = null;

  constructor(store: OpenedStore, holder: string, monotonicClock: () => number, send: SendDelivery) {
    const { webhookEndpoints: endpoints, deliveryStreams: streams, events, products } = store;
    const alive = async (): Promise<void> => {
      await this.#frozen?.promise;
      if (this.#isDead) throw new Error('the process was killed');
    };
    const clock = new MovedClock(0);
    this.#worker = new DeliveryWorker({
      endpoints,
      streams: {
        find: (...parameters) => streams.find(...parameters),
        page: (...parameters) => streams.page(...parameters),
        add: (...parameters) => streams.add(...parameters),
        remove: (...parameters) => streams.remove(...parameters),
        next: (...parameters) => streams.next(...parameters),
        replace: async (...parameters) => {
          await alive();
          return streams.replace(...parameters);
        },
      },
      events,
      products,
      disableWebhook: disableWebhook(endpoints),
      send: async (...parameters) => {
        await alive();
        return send(...parameters);
      },
      isPaused: () => false,
      clock: clock.now,
      monotonicClock,
      random: () => 0.5,
      newCall: () => aCall({ now: clock.now(), by: 'clock' }),
      report: (report) => this.reports.push(report),
      holder,
    });
    this.#worker.start();
  }

  freeze(): void {
    this.#frozen = Promise.withResolvers();
  }

  thaw(): void {
    this.#frozen?.resolve();
  }

  async kill(): Promise<void> {
    this.#isDead = true;
    await this.#worker.stop(0);
  }

  async stop(): Promise<void> {
    await this.#worker.stop(30_000);
  }
}

describe('workers that are killed or frozen while they deliver', () => {
  const store = freshStore(memory.open);

  it('lose no event, and keep the order of each entitlement', async () => {
    const kills = rounds(6, 20);
    const ids = range(6).map((index) => `ent_${index}`);
    const setting = new TestDeliveries(store(), new MovedClock(0));
    await setting.addProduct();
    await setting.addWebhook('https://merchant.test/');
    const arrivals: Arrival[] = [];
    const send: SendDelivery = async ({ message }) => {
      await turn();
      if (message.type === 'webhook.test') throw new Error('nobody tests');
      arrivals.push([subjectOf(message), message.sequence]);
      await turn();
      return { kind: 'delivered', answer: 'status 204', status: 204 };
    };
    let elapsed = 0;
    const monotonicClock = (): number => performance.now() + elapsed;
    const start = (number: number): MortalWorker => new MortalWorker(store(), `worker-${number}`, monotonicClock, send);

    await setting.grant(...ids);
    let workers = [start(0), start(1)];
    for (const kill of range(kills)) {
      const { length } = arrivals;
      for (const id of ids) await setting.change(id);
      await eventually(
        async () => arrivals.length,
        (count) => {
          elapsed += haste;
          return count > length;
        },
      );
      const holder = (await setting.stream())?.holder;
      const index = holder === `worker-${kill}` ? 0 : 1;
      await workers[index]?.kill();
      // The others see that its lease does not change, and take the stream once the time of a lease is over.
      await new Promise((resolve) => setTimeout(resolve, 100));
      elapsed += leaseTime;
      workers = [...workers.filter((_, other) => other !== index), start(kill + 2)];
    }
    const expected = ids.length * (kills + 1);
    const pending = async (): Promise<number | undefined> => (await setting.stream())?.pending.size;
    const distinct = (): ReadonlyMap<string, Arrival> =>
      new Map(arrivals.map(([id, sequence]) => [`${id}/${sequence}`, [id, sequence]]));
    const left = await eventually(pending, (count) => {
      elapsed += haste;
      return count === 0 && distinct().size >= expected;
    });
    for (const worker of workers) await worker.stop();
    const first = distinct();
    expect(first.size).to.equal(expected);
    for (const id of ids) {
      const sequences = [...first.values()].filter(([own]) => own === id).map(([, sequence]) => sequence);
      expect(sequences).to.deep.equal(range(kills + 1).map((index) => index + 1));
    }
    expect(left).to.equal(0);
  });

  it('neither send nor write after another has taken the stream over', async () => {
    const setting = new TestDeliveries(store(), new MovedClock(0));
    await setting.addProduct();
    await setting.addWebhook('https://merchant.test/');
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const sent: string[] = [];
    const sendAs =
      (holder: string, wait: Promise<void>): SendDelivery =>
      async () => {
        sent.push(holder);
        await wait;
        return { kind: 'delivered', answer: 'status 204', status: 204 };
      };
    let elapsed = 0;
    const monotonicClock = (): number => performance.now() + elapsed;
    const frozen = new MortalWorker(store(), 'frozen', monotonicClock, sendAs('frozen', answered));
    await setting.grant('a');
    await eventually(
      async () => sent.length,
      (count) => count > 0,
    );
    frozen.freeze();
    const other = new MortalWorker(store(), 'other', monotonicClock, sendAs('other', Promise.resolve()));
    await new Promise((resolve) => setTimeout(resolve, 200));
    elapsed += leaseTime;
    await eventually(
      () => setting.stream(),
      (stream) => {
        elapsed += haste;
        return stream?.holder === 'other' && stream.pending.size === 0;
      },
    );
    await setting.change('a');
    answer();
    frozen.thaw();
    await eventually(
      async () => sent.length,
      (count) => count > 2,
    );
    await frozen.stop();
    await other.stop();
    expect(sent).to.deep.equal(['frozen', 'other', 'other']);
    expect(await setting.stream()).to.deep.include({ holder: null, cursor: 2 });
  });
});
