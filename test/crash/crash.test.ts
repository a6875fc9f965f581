import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { digest } from '../../adapters/crypto/node-secrets.ts';
import { createContainer } from '../../app/container.ts';
import { openStore } from '../../app/stores/open-store.ts';
import { tokens } from '../../app/tokens.ts';
import { defaultTtl, retentionFor } from '../../core/idempotency/retention.ts';
import { aCall, anAppKey, aSubscription } from '../support/builders.ts';
import { violations, type History } from '../support/history.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { HttpTraffic } from '../support/http-traffic.ts';

const appKey = 'svc_sk_live_of-the-crash-test';
const ids = ['ent_1', 'ent_2', 'ent_3'];
const farAway = new Date('2099-01-01T00:00:00.000Z');

describe('a server that is killed at random moments', () => {
  let folder: string;
  let storeUrl: string;
  let server: ServerProcess | null = null;
  const urls = (): readonly string[] => [server?.url ?? 'http://127.0.0.1:1'];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    storeUrl = `sqlite:${join(folder, 'latchkey.db')}`;
    await fill(storeUrl);
  });

  afterEach(async () => {
    await server?.kill();
    server = null;
    await rm(folder, { recursive: true });
  });

  async function historyOf(kills: number, options: { readonly records: boolean }): Promise<History> {
    const traffic = new HttpTraffic(appKey, ids, urls);
    server = await startServerProcess(storeUrl, options);
    const before = await traffic.read();
    const clients = traffic.run();
    for (let kill = 0; kill < kills; kill += 1) {
      await Promise.race([traffic.progress(10 + Math.random() * 50), clients]);
      await pause(Math.random() * 10);
      await server.kill();
      server = await startServerProcess(storeUrl, options);
    }
    traffic.stop();
    await clients;
    await traffic.repeatAll();
    return { before, attempts: traffic.attempts, after: await traffic.read() };
  }

  it('loses nothing that it acknowledged, and carries nothing out twice', async () => {
    expect(violations(await historyOf(20, { records: true }))).to.deep.equal([]);
  }).timeout(180_000);

  it('is found out when it forgets idempotency keys', async () => {
    expect(violations(await historyOf(2, { records: false }))).not.to.deep.equal([]);
  }).timeout(60_000);

  it('replays a cancel after a later resume, and leaves the entitlement resumed', async () => {
    const traffic = new HttpTraffic(appKey, ids, urls);
    const cancel = { entitlementId: 'ent_1', operation: 'cancel', key: randomUUID() } as const;
    server = await startServerProcess(storeUrl);
    const canceled = await traffic.settle(cancel);
    const resumed = await traffic.settle({ entitlementId: 'ent_1', operation: 'resume', key: randomUUID() });
    await server.kill();
    server = await startServerProcess(storeUrl);
    expect(await traffic.settle(cancel)).to.equal(canceled);
    const [after] = await traffic.read();
    expect(after).to.deep.equal(JSON.parse(resumed).data);
  }).timeout(60_000);
});

async function fill(url: string): Promise<void> {
  const store = await openStore(url, { create: true }, retentionFor(defaultTtl), aCall());
  const container = createContainer(store);
  const subscriptions = ids.map((id) => aSubscription({ id, currentPeriodEnd: farAway, graceUntil: farAway }));
  await container.get(tokens.allEntitlements).add(subscriptions, aCall());
  await container.get(tokens.allAppKeys).add(anAppKey({ digest: digest(appKey) }), aCall());
  await store.close();
}
