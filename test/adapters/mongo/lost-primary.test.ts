import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { aCall, aListing } from '../../support/builders.ts';
import { violations } from '../../support/history.ts';
import { startServers, type Mongod, type Servers } from '../../support/mongod.ts';
import { numbers } from '../../support/outcomes.ts';
import { openMongoStore, type OpenedStore } from '../../support/stores.ts';
import { Traffic } from '../../support/traffic.ts';

/** Longer than any election and any deadline. */
const frozenFor = 7000;

describe('a replica set of three that loses its primary', function () {
  this.timeout(90_000);
  let servers: Servers;
  let stores: readonly OpenedStore[] = [];
  let traffic: Traffic;
  let writers: Writers;

  before(async () => {
    servers = await startServers(3);
  });
  after(() => servers.end());

  beforeEach(async () => {
    const url = servers.url(`latchkey-${crypto.randomUUID()}`);
    stores = [await openMongoStore(url), await openMongoStore(url)];
    traffic = new Traffic(24);
    await traffic.begin(storeAt(0));
    writers = new Writers(traffic, stores);
  });
  afterEach(async () => {
    await writers.stop();
    await Promise.all(stores.map((store) => store.close()));
  });

  it('writes again after each of three kills, and loses nothing that it acknowledged', async () => {
    writers.start(8);
    await writers.moreSuccesses();
    const { mark } = await storeAt(0).listings.load(aCall());
    for (const round of numbers(3)) {
      const primary = await primaryOf(servers);
      await primary.signal('KILL');
      await writers.moreSuccesses();
      await storeAt(round).listings.put([aListing({ name: `Renamed ${round}` })], aCall());
      expect(await storeAt(round + 1).listings.changesSince(mark, aCall())).to.deep.include({
        kind: 'changes',
        changed: [aListing({ name: `Renamed ${round}` })],
      });
      await primary.start();
      await allInOrder(servers);
    }
    await writers.stop();
    expect(violations(await traffic.history(storeAt(0)))).to.deep.equal([]);
    expect(writers.overdue).to.equal(0);
  });

  it('answers every request by its deadline while the primary is frozen, and writes again', async () => {
    writers.start(8);
    await writers.moreSuccesses();
    const primary = await primaryOf(servers);
    await primary.signal('STOP');
    await sleep(frozenFor);
    await writers.moreSuccesses();
    await primary.signal('CONT');
    await allInOrder(servers);
    await writers.moreSuccesses();
    await writers.stop();
    expect(violations(await traffic.history(storeAt(0)))).to.deep.equal([]);
    expect(writers.overdue).to.equal(0);
  });

  function storeAt(index: number): OpenedStore {
    const store = stores[index % 2];
    if (store === undefined) throw new Error('the stores are open during a test only');
    return store;
  }
});

/** Clients that change entitlements one request after another, each again with the same key until it succeeds. */
class Writers {
  readonly #traffic: Traffic;
  readonly #stores: readonly OpenedStore[];
  #running: readonly Promise<void>[] = [];
  #stopped = false;
  /** How many requests were answered later than a second after their deadline. */
  overdue = 0;

  constructor(traffic: Traffic, stores: readonly OpenedStore[]) {
    this.#traffic = traffic;
    this.#stores = stores;
  }

  start(count: number): void {
    this.#running = numbers(count).map((writer) => this.#write(writer));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  /** Resolves when each of the writers could have succeeded several times, and says how long that took. */
  async moreSuccesses(): Promise<void> {
    const enough = this.#traffic.successes + 40;
    const began = performance.now();
    while (this.#traffic.successes < enough) await sleep(20);
    process.stdout.write(`${enough} changes after ${Math.round(performance.now() - began)} ms\n`);
  }

  async #write(writer: number): Promise<void> {
    const { ids } = this.#traffic;
    for (let request = 0; !this.#stopped; request += 1) {
      const entitlementId = ids[(writer * 5 + request * 7) % ids.length] ?? '';
      const operation = (request + writer) % 3 === 0 ? 'resume' : 'cancel';
      const store = this.#stores[(writer + request) % this.#stores.length];
      if (store === undefined) return;
      const change = { entitlementId, operation, key: `writer-${writer}-${request}` } as const;
      for (let done = false; !done;) {
        const sent = performance.now();
        done = await this.#traffic.send(store, change);
        if (performance.now() - sent > 6000) this.overdue += 1;
      }
      await sleep(10);
    }
  }
}

async function primaryOf(servers: Servers): Promise<Mongod> {
  const client = new MongoClient(servers.url('admin'));
  const { primary } = await client.db().command({ hello: 1 });
  await client.close();
  const node = servers.nodes.find(({ port }) => String(primary).endsWith(`:${port}`));
  if (node === undefined) throw new Error('there is no primary');
  return node;
}

/** Resolves when every member is a primary or a secondary again. */
async function allInOrder(servers: Servers): Promise<void> {
  const client = new MongoClient(servers.url('admin'));
  const sound = [1, 2];
  for (;;) {
    const { members } = await client.db().command({ replSetGetStatus: 1 });
    if (
      members.every(({ state, health }: { state: number; health: number }) => health === 1 && sound.includes(state))
    ) {
      break;
    }
    await sleep(100);
  }
  await client.close();
}
