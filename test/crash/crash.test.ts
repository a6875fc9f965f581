import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { PlacedEvent } from '../../core/event/events.port.ts';
import { fillStore } from '../support/stores/filled-store.ts';
import { violations, type History } from '../support/workload/history.ts';
import {
  startServerProcess,
  type ServerProcess,
  type ServerProcessOptions,
} from '../support/processes/server-process.ts';
import { eventViolations } from '../support/workload/event-history.ts';
import { FeedReader } from '../support/workload/feed-reader.ts';
import { HttpTraffic } from '../support/workload/http-traffic.ts';
import { eventsIn } from '../support/stores/event-log.ts';
import { rounds } from '../support/run/long-runs.ts';
import { openAt, sqlite, type OpenedStore, type StoreAddress } from '../support/stores/stores.ts';
import { deliveryFlags, ObservedEndpoint } from '../support/webhooks/observed-endpoint.ts';

const appKey = 'svc_sk_live_of-the-crash-test';
const ids = ['ent_1', 'ent_2', 'ent_3'];
const kills = rounds(4, 20);

/** What goes on beside the requests while a server is killed. */
interface Beside {
  readonly reader: FeedReader;
  readonly endpoint: ObservedEndpoint;
}

/** A server on a store of its own, which is killed and started again. */
class KilledServer {
  readonly traffic = new HttpTraffic(appKey, ids, () => [this.url]);
  readonly #store: StoreAddress;
  readonly #options: ServerProcessOptions;
  #process: ServerProcess | null = null;

  private constructor(store: StoreAddress, options: ServerProcessOptions) {
    this.#store = store;
    this.#options = options;
  }

  static async on(store: StoreAddress, options: ServerProcessOptions = {}): Promise<KilledServer> {
    await fillStore(store.url, appKey, ids);
    return new KilledServer(store, options);
  }

  /** One to which no connection can be made while there is no server. */
  get url(): string {
    return this.#process?.url ?? 'http://127.0.0.1:1';
  }

  async start(): Promise<void> {
    this.#process = await startServerProcess(this.#store.url, this.#options);
  }

  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  async remove(): Promise<void> {
    await this.kill();
    await this.#store.remove();
  }

  /** Kills it so many times while it has traffic. */
  async historyOf(times: number, beside: Beside | null = null): Promise<History> {
    const { traffic } = this;
    await this.start();
    const before = await traffic.read();
    const clients = traffic.run();
    const reading = beside?.reader.run();
    for (let kill = 0; kill < times; kill += 1) {
      await Promise.race([traffic.progress(10 + Math.random() * 50), clients]);
      await pause(Math.random() * 10);
      await this.kill();
      await beside?.endpoint.free();
      await this.start();
    }
    traffic.stop();
    await clients;
    await traffic.repeatAll();
    beside?.reader.stop();
    await reading;
    return { before, attempts: traffic.attempts, after: await traffic.read() };
  }
}

describe(`a server that is killed ${kills} times at random moments, with a reader of its feed and a webhook endpoint`, function () {
  this.timeout(600_000);
  let server: KilledServer;
  let store: OpenedStore;
  let reader: FeedReader;
  let endpoint: ObservedEndpoint;
  let deliveredMeanwhile: number;
  let history: History;
  let log: readonly PlacedEvent[];

  before(async () => {
    const address = await sqlite.address();
    server = await KilledServer.on(address, { flags: deliveryFlags });
    store = await openAt(address.url);
    reader = new FeedReader(appKey, () => server.url);
    endpoint = await ObservedEndpoint.addTo(store);
    history = await server.historyOf(kills, { reader, endpoint });
    deliveredMeanwhile = endpoint.deliveries;
    log = await eventsIn(store);
  });
  after(async () => {
    await store.close();
    await server.remove();
    await endpoint.close();
  });

  it('loses no acknowledged change, and carries out no request twice', () => {
    expect(violations(history)).to.deep.equal([]);
  });

  it('has one event for each change, in their order', () => {
    expect(log.length).to.be.greaterThan(kills);
    expect(eventViolations(history, log)).to.deep.equal([]);
  });

  it('shows a reader each event once', async () => {
    await reader.readToEnd();
    expect(reader.events.map(({ id }) => id)).to.deep.equal(log.map(({ event }) => event.id));
  });

  it('delivers each event at least once, those of each entitlement in their order, and nothing else', async () => {
    expect(await endpoint.violations(log)).to.deep.equal([]);
    expect(deliveredMeanwhile).to.be.greaterThan(kills);
  });
});

describe('a server that is killed at random moments', function () {
  this.timeout(300_000);
  const servers: KilledServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.remove();
  });

  async function fresh(options?: ServerProcessOptions): Promise<KilledServer> {
    const server = await KilledServer.on(await sqlite.address(), options);
    servers.push(server);
    return server;
  }

  it('fails the check when it forgets idempotency keys', async () => {
    const server = await fresh({ records: false });
    expect(violations(await server.historyOf(2))).not.to.deep.equal([]);
  });

  it('replays a cancel after a later resume, and leaves the entitlement resumed', async () => {
    const server = await fresh();
    const { traffic } = server;
    const cancel = { entitlementId: 'ent_1', operation: 'cancel', key: randomUUID() } as const;
    await server.start();
    const canceled = await traffic.settle(cancel);
    const resumed = await traffic.settle({ entitlementId: 'ent_1', operation: 'resume', key: randomUUID() });
    await server.kill();
    await server.start();
    expect(await traffic.settle(cancel)).to.equal(canceled);
    const [after] = await traffic.read();
    expect(after).to.deep.equal(JSON.parse(resumed).data);
  });
});
