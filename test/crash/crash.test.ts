import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { fillStore } from '../support/stores/filled-store.ts';
import { violations, type History } from '../support/workload/history.ts';
import { startServerProcess, type ServerProcess } from '../support/processes/server-process.ts';
import { eventViolations } from '../support/workload/event-history.ts';
import { FeedReader } from '../support/workload/feed-reader.ts';
import { HttpTraffic } from '../support/workload/http-traffic.ts';
import { eventsIn } from '../support/stores/event-log.ts';
import { openAt, sqlite, type StoreAddress } from '../support/stores/stores.ts';

const appKey = 'svc_sk_live_of-the-crash-test';
const ids = ['ent_1', 'ent_2', 'ent_3'];

describe('a server that is killed at random moments', function () {
  this.timeout(180_000);
  let store: StoreAddress;
  let server: ServerProcess | null = null;
  const urls = (): readonly string[] => [server?.url ?? 'http://127.0.0.1:1'];

  beforeEach(async () => {
    store = await sqlite.address();
    await fillStore(store.url, appKey, ids);
  });

  afterEach(async () => {
    await server?.kill();
    server = null;
    await store.remove();
  });

  async function historyOf(
    kills: number,
    options: { readonly records: boolean },
    reader: FeedReader | null = null,
  ): Promise<History> {
    const traffic = new HttpTraffic(appKey, ids, urls);
    server = await startServerProcess(store.url, options);
    const before = await traffic.read();
    const clients = traffic.run();
    const reading = reader?.run();
    for (let kill = 0; kill < kills; kill += 1) {
      await Promise.race([traffic.progress(10 + Math.random() * 50), clients]);
      await pause(Math.random() * 10);
      await server.kill();
      server = await startServerProcess(store.url, options);
    }
    traffic.stop();
    await clients;
    await traffic.repeatAll();
    reader?.stop();
    await reading;
    return { before, attempts: traffic.attempts, after: await traffic.read() };
  }

  it('loses no acknowledged change, and carries out no request twice', async () => {
    expect(violations(await historyOf(20, { records: true }))).to.deep.equal([]);
  });

  it('has one event for each change, in their order, and shows a reader each of them once', async () => {
    const reader = new FeedReader(appKey, () => urls()[0] ?? '');
    const history = await historyOf(20, { records: true }, reader);
    await reader.readToEnd();
    const opened = await openAt(store.url);
    const log = await eventsIn(opened);
    await opened.close();
    expect(log.length).to.be.greaterThan(20);
    expect(eventViolations(history, log)).to.deep.equal([]);
    expect(reader.events.map(({ id }) => id)).to.deep.equal(log.map(({ event }) => event.id));
  });

  it('fails the check when it forgets idempotency keys', async () => {
    expect(violations(await historyOf(2, { records: false }))).not.to.deep.equal([]);
  });

  it('replays a cancel after a later resume, and leaves the entitlement resumed', async () => {
    const traffic = new HttpTraffic(appKey, ids, urls);
    const cancel = { entitlementId: 'ent_1', operation: 'cancel', key: randomUUID() } as const;
    server = await startServerProcess(store.url);
    const canceled = await traffic.settle(cancel);
    const resumed = await traffic.settle({ entitlementId: 'ent_1', operation: 'resume', key: randomUUID() });
    await server.kill();
    server = await startServerProcess(store.url);
    expect(await traffic.settle(cancel)).to.equal(canceled);
    const [after] = await traffic.read();
    expect(after).to.deep.equal(JSON.parse(resumed).data);
  });
});
