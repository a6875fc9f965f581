import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { aCall, aListing } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { send } from '../../support/http/http-client.ts';
import { startServers, type Servers } from '../../support/mongo/mongod.ts';
import { membersReady, primaryOf } from '../../support/mongo/replica-set.ts';
import { startServerProcess, type ServerProcess } from '../../support/processes/server-process.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { eventsIn } from '../../support/stores/event-log.ts';
import { fillStore } from '../../support/stores/filled-store.ts';
import { LogFollower } from '../../support/stores/log-follower.ts';
import { openAt, type OpenedStore } from '../../support/stores/stores.ts';
import { deliveryFlags, ObservedEndpoint } from '../../support/webhooks/observed-endpoint.ts';
import { eventViolations } from '../../support/workload/event-history.ts';
import { violations } from '../../support/workload/history.ts';
import { HttpTraffic } from '../../support/workload/http-traffic.ts';

const appKey = 'svc_sk_live_of-the-test-of-lost-primaries';
const ids = range(60).map((index) => `ent_${index}`);

/** What is asked of the service: its default. */
const flags = [...deliveryFlags, '--store-deadline', '5s'];

const kills = rounds(2, 3);

/** Longer than any election and any deadline. */
const frozenFor = 7000;

/** Milliseconds between two requests of a writer: what recovers beside them needs the processor. */
const writerPause = 50;

/**
 * How long a request may take: its deadline of 5 s, as long again, and 20 times what a request of this run takes while
 * nothing is wrong. Without the deadline a request to a frozen server takes 10 s and more.
 */
const maxRequestTime = (usual: number): number => 10_000 + 20 * usual;

describe('two processes on a replica set of three that loses its primary', () => {
  let mongods: Servers;
  let services: readonly ServerProcess[] = [];
  let administrator: OpenedStore;
  let endpoint: ObservedEndpoint;
  let writers: Writers;
  let follower: LogFollower;
  let following: { isOver: boolean; end: Promise<void> };
  const ends: (() => Promise<unknown>)[] = [];

  before(async () => {
    mongods = await startServers(3);
    ends.push(() => mongods.end());
    await membersReady(mongods);
    const url = mongods.url('latchkey');
    await fillStore(url, appKey, ids);
    administrator = await openAt(url);
    ends.push(() => administrator.close());
    endpoint = await ObservedEndpoint.addTo(administrator);
    ends.push(() => endpoint.close());
    services = await Promise.all(range(2).map(() => startServerProcess(url, { flags })));
    ends.push(() => Promise.all(services.map((service) => service.kill())));
    writers = new Writers(services.map((service) => service.url));
    follower = new LogFollower(administrator.events, () => 100);
    following = follow();
    await writers.start(8);
  });
  after(async () => {
    following.isOver = true;
    writers.abandon();
    for (const end of ends.splice(0).toReversed()) await end();
  });

  it(`write again after each of ${kills} kills, and show what was changed meanwhile`, async () => {
    const { cursor } = await administrator.listings.load(aCall());
    for (const round of range(kills)) {
      const primary = await primaryOf(mongods);
      await primary.signal('KILL');
      await writers.moreSuccesses();
      const renamed = aListing({ name: `Renamed ${round}` });
      await administrator.listings.put([renamed], aCall());
      const changes = await administrator.listings.changesSince(cursor, aCall());
      expect(changes).to.deep.include({ kind: 'changes', changed: [renamed] });
      expect(await namesAfter(renamed.name)).to.deep.equal([renamed.name, renamed.name]);
      await primary.start();
      await membersReady(mongods);
    }
  });

  it('answer every request by its deadline, also while the primary is frozen, and write again afterwards', async () => {
    const primary = await primaryOf(mongods);
    await primary.signal('STOP');
    await sleep(frozenFor);
    await writers.moreSuccesses();
    await primary.signal('CONT');
    await membersReady(mongods);
    await writers.moreSuccesses();
    expect(writers.overdue).to.equal(0);
  });

  it('lose nothing that was acknowledged, and record and deliver each change', async () => {
    expect(await writers.violations()).to.deep.equal([]);
    await expectEachChangeRecorded();
  });

  /** Reads the log all the time. Reads that fail are repeated. */
  function follow(): typeof following {
    const state = { isOver: false, end: Promise.resolve() };
    const run = async (): Promise<void> => {
      while (!state.isOver) {
        await follower.read('prod_1').catch(() => {});
        await sleep(100);
      }
    };
    state.end = run();
    return state;
  }

  /**
   * Expects one event for each change in the log, moved there by the services; nothing else to have been read; and the
   * same at the receiver, at least once.
   */
  async function expectEachChangeRecorded(): Promise<void> {
    const changes = writers.changes;
    await eventually(
      async () => follower.seen().length,
      (read) => read >= changes,
    );
    following.isOver = true;
    await following.end;
    expect(eventViolations(writers.history, follower.seen())).to.deep.equal([]);
    expect(await eventsIn(administrator)).to.deep.equal(follower.seen());
    expect(await endpoint.violations(follower.seen())).to.deep.equal([]);
  }

  /** Waits until each process shows the listing under a name, and returns the names that they show. */
  function namesAfter(name: string): Promise<readonly unknown[]> {
    const awaited = services.map(({ url }) =>
      eventually(
        () => listingNameAt(url),
        (found) => found === name,
      ),
    );
    return Promise.all(awaited);
  }
});

async function listingNameAt(url: string): Promise<unknown> {
  const { body } = await send(`${url}/api/marketplace/listings/${aListing().slug}`);
  return (body as { readonly data?: { readonly name: string } }).data?.name;
}

function versionsOf(snapshots: Snapshots): number {
  return snapshots.reduce((sum, { version }) => sum + version, 0);
}

type Snapshots = Awaited<ReturnType<HttpTraffic['read']>>;

/** Clients that change entitlements, one request after another. Each request is repeated with its key until it succeeds. */
class Writers {
  readonly #traffic: HttpTraffic;
  readonly #urls: readonly string[];
  #history: { readonly before: Snapshots; readonly after: Snapshots } = { before: [], after: [] };
  #running: readonly Promise<void>[] = [];
  #stopped = false;
  #abandoned = false;
  /** The milliseconds that each request has taken. */
  readonly #times: number[] = [];
  #usual = 0;

  constructor(urls: readonly string[]) {
    this.#urls = urls;
    this.#traffic = new HttpTraffic(appKey, ids, () => urls);
  }

  /** The number of requests that took too long. */
  get overdue(): number {
    return this.#times.filter((time) => time > maxRequestTime(this.#usual)).length;
  }

  /** Resolves when all of them are writing. */
  async start(count: number): Promise<void> {
    this.#history = { before: await this.#traffic.read(), after: [] };
    this.#running = range(count).map((writer) => this.#write(writer));
    await this.moreSuccesses();
    this.#usual = this.#times.toSorted((a, b) => a - b)[Math.floor(this.#times.length / 2)] ?? 0;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  /** Lets them end without an outcome of their last requests. */
  abandon(): void {
    this.#stopped = true;
    this.#abandoned = true;
  }

  /** Stops them, and returns where the history of their requests breaks a promise. */
  async violations(): Promise<readonly string[]> {
    await this.stop();
    this.#history = { ...this.#history, after: await this.#traffic.read() };
    return violations({ ...this.#history, attempts: this.#traffic.attempts });
  }

  /** The entitlements before the first change and after the last one. */
  get history(): { readonly before: Snapshots; readonly after: Snapshots } {
    return this.#history;
  }

  /** The number of changes. */
  get changes(): number {
    return versionsOf(this.#history.after) - versionsOf(this.#history.before);
  }

  /** Resolves when 40 more requests have succeeded. */
  moreSuccesses(): Promise<void> {
    return this.#traffic.progress(40);
  }

  async #write(writer: number): Promise<void> {
    for (let request = 0; !this.#stopped; request += 1) {
      const entitlementId = ids[(writer * 5 + request * 7) % ids.length] ?? '';
      const operation = (request + writer) % 3 === 0 ? 'resume' : 'cancel';
      const change = { entitlementId, operation, key: `writer-${writer}-${request}` } as const;
      for (let done = false; !done && !this.#abandoned;) {
        const sent = performance.now();
        const { outcome } = await this.#traffic.send(change, this.#urls[(writer + request) % this.#urls.length]);
        this.#times.push(performance.now() - sent);
        done = outcome.kind === 'success';
      }
      await sleep(writerPause);
    }
  }
}
