import { expect } from 'chai';
import { KilledServer } from '../support/processes/killed-server.ts';
import { sqlite } from '../support/stores/stores.ts';
import { violations } from '../support/workload/history.ts';

const appKey = 'svc_sk_live_of-the-crash-test-of-keys';

describe('a server that is killed at random moments', () => {
  it('fails the check when it forgets idempotency keys', async () => {
    const server = await KilledServer.on(await sqlite.address(), appKey, { records: false });
    try {
      expect(violations(await server.historyOf(2))).not.to.deep.equal([]);
    } finally {
      await server.remove();
    }
  });
});
