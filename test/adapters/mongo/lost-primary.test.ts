import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { connectTo } from '../../../adapters/mongo/driver/connect.ts';
import { mongoStoreIn } from '../../../adapters/mongo/open-mongo-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall, aListing, anAppKey, aProduct, aSubscription, day, granted } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { send } from '../../support/http/http-client.ts';
import { TestService } from '../../support/http/test-service.ts';
import { startServers, type Servers } from '../../support/mongo/mongod.ts';
import { membersReady, primaryOf } from '../../support/mongo/replica-set.ts';
import { Writers } from '../../support/mongo/writers.ts';
import { startAdminServer, type AdminServerProcess } from '../../support/processes/admin-server-process.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { eventsIn } from '../../support/stores/event-log.ts';
import { LogFollower } from '../../support/stores/log-follower.ts';
import { openAt, type OpenedStore } from '../../support/stores/stores.ts';
import { deliveryFlags, ObservedEndpoint } from '../../support/webhooks/observed-endpoint.ts';
import { AdminTraffic } from '../../support/workload/admin-traffic.ts';
import {
  conversions,
  endsOf,
  fillTrialStore,
  keys,
  offerTrial,
  trialFlags,
  TrialTraffic,
} from '../../support/workload/buyers/trial-traffic.ts';
import { eventViolations } from '../../support/workload/event-history.ts';

/** The product of the entitlements that writers change. Its log has no other changes. */
const productId = 'prod_2';
const appKey = 'svc_sk_live_of-the-test-of-lost-primaries';
const ids = range(60).map((index) => `ent_of_writers_${index}`);
const idsOfOperators = range(30).map((index) => `ent_of_operators_${index}`);

/** The options of the services that lose a primary. The deadline is the default one. */
const flags = [...deliveryFlags, ...trialFlags, '--store-deadline', '5s'];

/** The deadline of the service whose primary is frozen, in milliseconds: short, so that a short freeze outlasts the limit. */
const shortDeadline = 2000;

/**
 * Milliseconds that a request may take there: twice its deadline, and 20 times its usual time. The primary is frozen
 * for longer, and without the deadline a request would wait for it.
 */
const maxRequestTime = (usual: number): number => 2 * shortDeadline + 20 * usual;

const kills = rounds(2, 3);

/** Changes of operators, and devices that get a seat, before and after each kill. */
const [changes, devices] = [20, 4];

/** Milliseconds between two requests of an operator, so that their changes last until the end. */
const operatorPause = 2000;

describe('two processes on a replica set of three that loses its primary', () => {
  let mongods: Servers;
  let services: readonly AdminServerProcess[] = [];
  let administrator: OpenedStore;
  let endpoint: ObservedEndpoint;
  let writers: Writers;
  let follower: LogFollower;
  let following: { isOver: boolean; end: Promise<void> };
  const operators = new AdminTraffic(
    keys.operatorKey,
    idsOfOperators,
    () => services.map(({ adminUrl }) => adminUrl),
    operatorPause,
  );
  const trials = new TrialTraffic(() => services.map(({ url }) => url));
  /** The devices that had been tried when the members were ready again. */
  let earlier: ReadonlySet<string> = new Set();
  const ends: (() => Promise<unknown>)[] = [];

  before(async () => {
    mongods = await startServers(3);
    ends.push(() => mongods.end());
    await membersReady(mongods);
    const url = mongods.url('latchkey');
    await fillTrialStore(url, idsOfOperators);
    administrator = await openAt(url);
    ends.push(() => administrator.close());
    await offerTrial(administrator);
    const end = new Date(Date.now() + 1000 * day);
    const ofWriters = ids.map((id) => aSubscription({ id, productId, currentPeriodEnd: end, graceUntil: end }));
    await administrator.products.add(aProduct({ id: productId }), aCall());
    await administrator.allAppKeys.add(anAppKey({ id: 'key_2', digest: digest(appKey), productId }), aCall());
    await administrator.allEntitlements.add(granted(ofWriters), aCall());
    endpoint = await ObservedEndpoint.addTo(administrator, productId);
    ends.push(() => endpoint.close());
    services = await Promise.all(range(2).map(() => startAdminServer(url, flags)));
    ends.push(() => Promise.all(services.map((service) => service.kill())));
    writers = new Writers(
      appKey,
      ids,
      services.map((service) => service.url),
    );
    follower = new LogFollower(administrator.events, () => 100);
    following = follow();
    await writers.start(8);
  });
  after(async () => {
    following.isOver = true;
    writers.abandon();
    operators.stop();
    trials.stop();
    for (const end of ends.splice(0).toReversed()) await end();
  });

  it(`write again after each of ${kills} kills, and show what was changed meanwhile`, async () => {
    const { cursor } = await administrator.listings.load(aCall());
    const others = Promise.all([operators.run(), trials.run()]);
    const progress = (): Promise<unknown> =>
      Promise.race([Promise.all([operators.progress(changes), trials.progress(devices)]), others]);
    for (const round of range(kills)) {
      await progress();
      const primary = await primaryOf(mongods);
      await sleep(Math.random() * 20);
      await primary.signal('KILL');
      await writers.moreSuccesses();
      const renamed = aListing({ name: `Renamed ${round}` });
      await administrator.listings.put([renamed], aCall());
      const changed = await administrator.listings.changesSince(cursor, aCall());
      expect(changed).to.deep.include({ kind: 'changes', changed: [renamed] });
      expect(await namesAfter(renamed.name)).to.deep.equal([renamed.name, renamed.name]);
      await progress();
      await primary.start();
      await membersReady(mongods);
    }
    earlier = new Set(trials.times.keys());
    await Promise.race([trials.progress(devices), others]);
    operators.stop();
    trials.stop();
    await others;
  });

  it('lose no acknowledged change of an operator and its history, and repeat none', async () => {
    expect(await operators.violations()).to.deep.equal([]);
  });

  it('store one start and one end of each trial', async () => {
    const { told, stored } = await endsOf(administrator, trials);
    expect(told).to.deep.equal(stored);
  });

  it('convert trials where no primary was lost, and others to nothing else', async () => {
    const all = await conversions(administrator, trials);
    const calm = [...trials.seated].filter((deviceId) => !earlier.has(deviceId));
    expect(calm.map((deviceId) => all.get(deviceId))).to.deep.equal(calm.map(() => 'ent_1'));
    expect(calm).not.to.deep.equal([]);
    expect([...new Set(all.values())].filter((id) => id !== undefined)).to.deep.equal(['ent_1']);
  });

  it('answer every request by its deadline, also while the primary is frozen, and write again afterwards', async () => {
    const service = await patientService();
    const limit = maxRequestTime(await writers.moveTo([...services.map(({ url }) => url), service.url]));
    const primary = await primaryOf(mongods);
    await primary.signal('STOP');
    await sleep(limit + 1000);
    await writers.moreSuccesses();
    await primary.signal('CONT');
    await membersReady(mongods);
    await writers.moreSuccesses();
    expect(writers.longerThan(limit, service.url)).to.equal(0);
  });

  it('lose nothing that was acknowledged, and record and deliver each change', async () => {
    expect(await writers.violations()).to.deep.equal([]);
    await expectEachChangeRecorded();
  });

  /** Starts a service whose driver waits for a frozen server for minutes, so that nothing but its deadline ends a request. */
  async function patientService(): Promise<TestService> {
    const patient = { socketTimeoutMS: 600_000, connectTimeoutMS: 600_000 };
    const database = await connectTo(mongods.url('latchkey'), aCall(), patient);
    ends.push(() => database.close());
    const store = await mongoStoreIn(database, {}, retentionFor(defaultTtl), aCall());
    const service = await TestService.start(store, { clock: () => new Date(), storeDeadline: shortDeadline });
    ends.push(() => service.stop());
    return service;
  }

  /** Reads the log all the time. Reads that fail are repeated. */
  function follow(): typeof following {
    const state = { isOver: false, end: Promise.resolve() };
    const run = async (): Promise<void> => {
      while (!state.isOver) {
        await follower.read(productId).catch(() => {});
        await sleep(100);
      }
    };
    state.end = run();
    return state;
  }

  /**
   * Expects one event for each change in the log of the writers, moved there by the services; nothing to have been read
   * that is not in it; and the same at the receiver, at least once.
   */
  async function expectEachChangeRecorded(): Promise<void> {
    const seen = (): ReturnType<LogFollower['seen']> => follower.seen(productId);
    await eventually(
      async () => seen().length,
      (read) => read >= writers.changes,
    );
    following.isOver = true;
    await following.end;
    expect(eventViolations(writers.history, seen())).to.deep.equal([]);
    expect(await eventsIn(administrator, productId)).to.deep.equal(seen());
    expect(await endpoint.violations(seen())).to.deep.equal([]);
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
