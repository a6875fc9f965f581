import { expect } from 'chai';
import { startBackground } from '../../../app/server/background.ts';
import { pricesAlone } from '../../../app/server/stripe/without-key.ts';
import { createContainer } from '../../../app/service/container.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { openStore } from '../../../app/stores/open-store.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import type { Store } from '../../../core/store/store.port.ts';
import { streamName, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import { aCall, aSubscription, day, granted } from '../../support/builders.ts';
import { MovedClocks } from '../../support/clock/moved-clocks.ts';
import { eventually } from '../../support/eventually.ts';
import { aLatch } from '../../support/latch.ts';
import { memory, type StoreUnderTest } from '../../support/stores/stores.ts';
import { entitlementsIn } from '../../support/stores/whole-lists.ts';
import { aMapping } from '../../support/stripe/states.ts';
import { loopback } from '../../support/webhooks/deliveries.ts';
import { answerWith, Receiver } from '../../support/webhooks/receiver.ts';

const minute = 60_000;
const retention = 'removed events beyond their retention';

/** Whether a line of the log says that the clock is in doubt. */
const isDoubt = (message: string): boolean => message.includes('no events of the clock are stored');

/**
 * The background work of a server, by clocks that a test moves. Two subscriptions end a month after its start, and the
 * log has two events.
 */
class Background {
  /** It ends before the present: the server of MongoDB has a clock of its own. */
  readonly clocks = new MovedClocks(new Date(Date.now() - 100 * day - 20 * minute));
  readonly logged: { readonly message: string; readonly level: string; readonly events?: number }[] = [];
  readonly store: Store;
  readonly #remove: () => Promise<void>;
  #looks = 0;
  #stop: () => Promise<void> = async () => {};

  private constructor(store: Store, remove: () => Promise<void>) {
    this.store = store;
    this.#remove = remove;
  }

  static async on(under: StoreUnderTest): Promise<Background> {
    const address = await under.emptyAddress();
    const store = await openStore(address.url, { create: true }, retentionFor(defaultTtl), aCall());
    const background = new Background(store, () => address.remove());
    const { products, allEntitlements } = store.ports;
    const now = background.clocks.now();
    const end = new Date(now.getTime() + 30 * day);
    const subscriptions = ['ent_1', 'ent_2'].map((id) =>
      aSubscription({ id, updatedAt: now, currentPeriodStart: now, currentPeriodEnd: end, graceUntil: end }),
    );
    await products.add({ id: 'prod_1', name: 'One', createdAt: now }, background.call());
    await allEntitlements.add(granted(subscriptions), background.call());
    await background.change('ent_1', 'suspend');
    await background.change('ent_1', 'reinstate');
    return background;
  }

  readonly call = (): ReturnType<typeof aCall> => aCall({ now: this.clocks.now() });

  start(settings: Partial<Settings> = {}): void {
    const log = loggerTo({ write: (line) => this.logged.push(JSON.parse(line)) });
    const clock = (): Date => {
      this.#looks += 1;
      return this.clocks.now();
    };
    const container = createContainer(this.store.ports);
    // Every event is old, also one that the relay of MongoDB has just stored.
    const own = { ...defaultSettings, eventRetention: -day, webhookAllowNetworks: loopback, ...settings };
    this.#stop = startBackground(
      { container, store: this.store, clock, log, baseUrl: () => '' },
      own,
      this.clocks.monotonic,
    );
  }

  /** Adds an endpoint, and an event for it. */
  async addWebhook({ url }: Receiver): Promise<void> {
    const endpoint = { id: 'whk_1', url, productId: 'prod_1', types: null };
    await administrationOf(this.store.ports, nodePlatform).addWebhook(endpoint, this.call());
    await this.change('ent_1', 'suspend');
  }

  /** Changes a subscription, and stores the event by itself. */
  async change(id: string, kind: 'suspend' | 'reinstate'): Promise<void> {
    await administrationOf(this.store.ports, nodePlatform).runEntitlementCommand(id, { kind }, this.call());
    while ((await this.store.archive?.moveEvents(this.call())) === false);
  }

  async stream(): Promise<DeliveryStream | null> {
    const endpoint = await this.store.ports.webhookEndpoints.find('whk_1', this.call());
    return endpoint && this.store.ports.deliveryStreams.find(streamName(endpoint, 'prod_1'), this.call(), 'all');
  }

  /** Waits until everything that happens once a second has had its turn. */
  async turns(): Promise<void> {
    const until = this.#looks + 12;
    await eventually(
      async () => this.#looks,
      (looks) => looks >= until,
    );
  }

  /** Waits until the log has such a line. */
  async logs(passes: (message: string) => boolean): Promise<void> {
    const isThere = await eventually(async () => this.logged.some(({ message }) => passes(message)), Boolean);
    expect(isThere).to.equal(true);
  }

  /** Whether each subscription has the event of its end, and the first position of the log. */
  async state(): Promise<{ readonly ended: readonly boolean[]; readonly first: number }> {
    await this.store.archive?.moveEvents(this.call());
    const all = await entitlementsIn(this.store.ports);
    const { first } = await this.store.ports.events.page('prod_1', 0, 1, this.call());
    return { ended: all.map(({ nextEventAt }) => nextEventAt === null), first };
  }

  async reaches(expected: Awaited<ReturnType<Background['state']>>): Promise<void> {
    const state = await eventually(
      () => this.state(),
      (found) => JSON.stringify(found) === JSON.stringify(expected),
    );
    expect(state).to.deep.equal(expected);
  }

  async end(): Promise<void> {
    await this.#stop();
    await this.store.close();
    await this.#remove();
  }
}

const untouched = { ended: [false, false], first: 1 };

describe('the background of a server', () => {
  let background: Background;
  beforeEach(async () => {
    background = await Background.on(memory);
  });
  afterEach(() => background.end());

  it('makes the events of the clock at once, and removes none in its first five minutes', async () => {
    background.clocks.pass(100 * day);
    background.start();
    await background.reaches({ ended: [true, true], first: 1 });
    await background.turns();
    expect(await background.state()).to.deep.equal({ ended: [true, true], first: 1 });
    background.clocks.pass(5 * minute);
    await background.logs((message) => message === retention);
    expect((await background.state()).first).to.be.greaterThan(1);
    expect(background.logged.filter(({ message }) => isDoubt(message))).to.deep.equal([]);
  });

  it('does neither with a clock 100 days ahead, until that has been steady for 15 minutes', async () => {
    await background.store.ports.clockMarks.raise(background.clocks.now(), background.call());
    background.clocks.pass(100 * day);
    background.start();
    await background.logs(isDoubt);
    background.clocks.pass(15 * minute - 1);
    await background.turns();
    expect(await background.state()).to.deep.equal(untouched);
    background.clocks.pass(1);
    await background.logs((message) => message === retention);
    const ended = await eventually(
      async () => (await background.state()).ended,
      (all) => all.every(Boolean),
    );
    expect(ended).to.deep.equal([true, true]);
  });

  it('does neither while its clock has jumped, and goes on once it has been set back', async () => {
    background.start();
    await background.turns();
    background.clocks.pass(minute);
    await background.turns();
    background.clocks.set(100 * day);
    await background.logs(isDoubt);
    await background.turns();
    expect(await background.state()).to.deep.equal(untouched);
    background.clocks.set(-100 * day);
    background.clocks.pass(10_000);
    await background.logs((message) => message.startsWith('the clock is trusted'));
    expect(await background.state()).to.deep.equal(untouched);
  });

  it('makes the secret of license keys of a server with a key of Stripe', async () => {
    const secret = () => background.store.ports.licenseSecrets.read(background.call());
    background.start({ stripeApiKey: 'sk_test_1', webhooks: 'off' });
    const made = await eventually(secret, (found) => found !== null);
    expect(made).to.have.property('secret').with.length(43);
    await background.turns();
    expect(await secret()).to.deep.equal(made);
  });

  it('makes no secret of license keys of a server without one', async () => {
    background.start();
    await background.turns();
    expect(await background.store.ports.licenseSecrets.read(background.call())).to.equal(null);
  });

  it('does both with a clock that the operator vouches for', async () => {
    await background.store.ports.clockMarks.raise(background.clocks.now(), background.call());
    background.clocks.pass(100 * day);
    background.start({ acceptClock: 'on' });
    await background.reaches({ ended: [true, true], first: 1 });
    background.clocks.pass(5 * minute);
    await background.logs((message) => message === retention);
    const { mark } = await background.store.ports.clockMarks.read(background.call());
    expect(mark && mark > new Date(Date.now() - day)).to.equal(true);
  });
});

describe('a server that has prices of Stripe and no key', () => {
  it('says so in its log', async () => {
    const background = await Background.on(memory);
    await background.store.ports.priceMap.put(aMapping(), background.call());
    background.start();
    await background.logs((message) => message === pricesAlone);
    await background.end();
  });
});

describe('the deliveries of a server', () => {
  let background: Background;
  let receiver: Receiver;
  beforeEach(async () => {
    background = await Background.on(memory);
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await background.end();
    await receiver.close();
  });

  it('wait while the clock is in doubt', async () => {
    await background.addWebhook(receiver);
    await background.store.ports.clockMarks.raise(background.clocks.now(), background.call());
    background.clocks.pass(day);
    background.start();
    await background.logs(isDoubt);
    background.clocks.pass(15 * minute - 1);
    await background.turns();
    expect(receiver.received).to.deep.equal([]);
    background.clocks.pass(1);
    await eventually(
      async () => receiver.accepted.length,
      (count) => count > 0,
    );
    expect(receiver.accepted.map(({ type }) => type)).to.deep.equal(['entitlement.suspended']);
  });

  it('that are in flight when the clock jumps are tried again as if it had not', async () => {
    const [arrived, mayAnswer] = [aLatch(), aLatch()];
    receiver.answer = async (...delivery) => {
      arrived.release();
      await mayAnswer.released;
      await answerWith(500)(...delivery);
    };
    await background.addWebhook(receiver);
    background.start();
    await arrived.released;
    background.clocks.set(100 * day);
    mayAnswer.release();
    const retried = await eventually(
      async () => (await background.stream())?.pending.get('ent_1'),
      (pending) => pending?.attempt === 1,
    );
    expect(retried?.at && retried.at < new Date(background.clocks.now().getTime() - 99 * day)).to.equal(true);
  });
});
