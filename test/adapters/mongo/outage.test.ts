import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { aLicense, aSubscription } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import type { Reply } from '../../support/http/http-client.ts';
import { json } from '../../support/http/requests.ts';
import { startService } from '../../support/http/service-hooks.ts';
import type { TestService } from '../../support/http/test-service.ts';
import { startServers, type Mongod, type Servers } from '../../support/mongo/mongod.ts';

const licenseKey = 'a-license-key-of-thirty-characters';

interface Outage {
  readonly name: string;
  readonly begin: (node: Mongod) => Promise<void>;
  readonly end: (node: Mongod) => Promise<void>;
}

const outages: readonly Outage[] = [
  { name: 'is killed', begin: (node) => node.signal('KILL'), end: (node) => node.start() },
  { name: 'is frozen', begin: (node) => node.signal('STOP'), end: (node) => node.signal('CONT') },
];

describe('the service, when its MongoDB server', () => {
  let servers: Servers;
  let service: TestService;

  beforeEach(async () => {
    servers = await startServers(1);
    const emptyAddress = async () => ({ url: servers.url('latchkey'), remove: () => servers.end() });
    service = await startService({ emptyAddress }, { storeDeadline: 8000 });
    await service.grant(aSubscription({ license: aLicense({ digest: digest(licenseKey) }) }));
  });
  afterEach(() => service.stop());

  for (const { name, begin, end } of outages) {
    it(`${name}, refuses every operation by its deadline, is not ready, and recovers by itself`, async () => {
      const [node] = servers.nodes;
      if (node === undefined) throw new Error('the set has one member');
      expect((await service.change('ent_1/cancel', 'key-00000001')).status).to.equal(200);
      await begin(node);
      const replies = await Promise.all([
        service.verify({ licenseKey }),
        service.read('ent_1'),
        service.change('ent_1/resume', 'key-00000002'),
        service.send('/api/waitlist', { method: 'POST', headers: [json], body: '{"email":"ada@example.com"}' }),
      ]);
      expect(replies.map(outcomeOf)).to.deep.equal(replies.map(() => [500, 'store_unavailable', '1']));
      expect((await service.send('/readyz')).status).to.equal(503);
      await end(node);
      const ready = await eventually(
        () => service.send('/readyz'),
        ({ status }) => status === 200,
      );
      expect(ready.status).to.equal(200);
      expect((await service.verify({ licenseKey })).status).to.equal(200);
      expect((await service.change('ent_1/resume', 'key-00000002')).status).to.equal(200);
      expect((await service.stored()).map(({ version }) => version)).to.deep.equal([3]);
    });
  }
});

function outcomeOf({ status, headers }: Reply): readonly unknown[] {
  return [status, headers['error-code'], headers['retry-after']];
}
