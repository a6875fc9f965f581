import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { KilledServer } from '../support/processes/killed-server.ts';
import type { ServerProcessOptions } from '../support/processes/server-process.ts';
import { sqlite } from '../support/stores/stores.ts';
import { violations } from '../support/workload/history.ts';

const appKey = 'svc_sk_live_of-the-crash-test-of-keys';

describe('a server that is killed at random moments', () => {
  const servers: KilledServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.remove();
  });

  async function fresh(options?: ServerProcessOptions): Promise<KilledServer> {
    const server = await KilledServer.on(await sqlite.address(), appKey, options);
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
